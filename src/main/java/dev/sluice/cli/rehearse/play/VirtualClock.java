package dev.sluice.cli.rehearse.play;

import java.time.Instant;
import java.time.InstantSource;

/** The time of the log, which goes on from call to call and never back. For one thread that moves it. */
public final class VirtualClock implements InstantSource {

    private long millis;

    /** Goes on to that moment, unless it is there already or further; the time then. */
    public long moveTo(long momentMillis) {
        millis = Math.max(millis, momentMillis);
        return millis;
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
