package dev.sluice.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until a test changes its time. A window therefore never ends unexpectedly in the middle of
 * a test. Only the limits use this clock.
 *
 * <pre>{@code
 * limits.clock().advance(Duration.ofMinutes(1)); // the next window
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class HandSetClock implements InstantSource {

    /** The initial time. Windows of all common periods begin at this time, including days, months and years in UTC. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile Instant now = START;

    @Override
    public Instant instant() {
        return now;
    }

    /** Moves the clock forward. A negative duration moves it back, as happens when a machine's clock is corrected. */
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    /** Sets the clock, for example to a time of day when different limits apply. */
    public synchronized void set(Instant to) {
        now = to;
    }

    @Override
    public String toString() {
        return "set by hand to " + now;
    }
}
