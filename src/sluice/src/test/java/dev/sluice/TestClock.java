package dev.sluice;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that does not move unless it is set. */
public final class TestClock implements InstantSource {

    private final AtomicLong millis;

    public TestClock(long millis) {
        this.millis = new AtomicLong(millis);
    }

    @Override
    public long millis() {
        return millis.get();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    public void set(long nowMillis) {
        millis.set(nowMillis);
    }

    public void advance(Duration time) {
        millis.addAndGet(time.toMillis());
    }
}
