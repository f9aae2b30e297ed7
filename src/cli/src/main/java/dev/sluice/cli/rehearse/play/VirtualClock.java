package dev.sluice.cli.rehearse.play;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that shows the log's time. It never goes back. Not thread-safe. */
final class VirtualClock implements InstantSource {

    private long millis;

    /** Advances to the given moment, unless it is in the past. */
    void moveTo(long momentMillis) {
        millis = Math.max(millis, momentMillis);
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis);
    }
}
