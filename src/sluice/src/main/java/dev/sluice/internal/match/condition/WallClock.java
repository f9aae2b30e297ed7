package dev.sluice.internal.match.condition;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * The local time in a zone. The zone's offset from UTC is cached until the offset changes, so calls neither compute the
 * offset nor allocate memory. Thread-safe, because the cached span is immutable. A thread replaces the span if it is
 * stale.
 */
public final class WallClock {

    private final ZoneId zone;
    private final ZoneRules rules;
    private Span span;

    public WallClock(ZoneId zone) {
        this.zone = zone;
        this.rules = zone.getRules();
        this.span = spanAt(0);
    }

    /** A time span with a constant offset from UTC. */
    private record Span(long from, long until, long offsetMillis) {}

    /** Returns the local time, expressed in milliseconds since 1970 as if it were UTC. */
    long localMillis(long nowMillis) {
        Span known = span;
        if (nowMillis < known.from || nowMillis >= known.until) {
            known = spanAt(nowMillis);
            span = known;
        }
        return nowMillis + known.offsetMillis;
    }

    private Span spanAt(long nowMillis) {
        Instant now = Instant.ofEpochMilli(nowMillis);
        ZoneOffsetTransition before = rules.previousTransition(now.plusNanos(1));
        ZoneOffsetTransition after = rules.nextTransition(now);
        return new Span(
                before == null ? Long.MIN_VALUE : before.getInstant().toEpochMilli(),
                after == null ? Long.MAX_VALUE : after.getInstant().toEpochMilli(),
                rules.getOffset(now).getTotalSeconds() * 1000L);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WallClock clock && clock.zone.equals(zone);
    }

    @Override
    public int hashCode() {
        return zone.hashCode();
    }

    @Override
    public String toString() {
        return zone.toString();
    }
}
