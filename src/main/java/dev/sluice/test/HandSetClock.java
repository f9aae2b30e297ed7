package dev.sluice.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until a test moves it, so that no window ends in the middle of a test. Only limits go by it.
 * Safe for any threads.
 */
public final class HandSetClock implements InstantSource {

    /** Where it begins: windows of any usual period begin there too, and days, months and years in UTC. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile Instant now = START;

    @Override
    public Instant instant() {
        return now;
    }

    /** Moves it on. A duration that is negative moves it back, as when a machine's clock is corrected. */
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    /** Sets it, for example to an hour in which other limits hold. */
    public synchronized void set(Instant to) {
        now = to;
    }

    @Override
    public String toString() {
        return "set by hand to " + now;
    }
}
