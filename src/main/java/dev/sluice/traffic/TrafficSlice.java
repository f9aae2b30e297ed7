package dev.sluice.traffic;

import dev.sluice.Decision;
import dev.sluice.internal.traffic.sketch.HeavyCallers;
import dev.sluice.internal.traffic.sketch.Tally.Kind;

/**
 * Some seconds of traffic. Allowed and refused calls are counted separately, because the busiest callers may never be
 * refused. Thread-safe.
 *
 * @param startMillis the start of the slice
 * @param allowed the callers with the most allowed calls
 * @param refused the callers with the most refusals, including those of dry runs
 */
record TrafficSlice(long startMillis, HeavyCallers allowed, HeavyCallers refused) {

    TrafficSlice(long startMillis, int capacity) {
        this(
                startMillis,
                new HeavyCallers(capacity, 0, 0),
                new HeavyCallers(capacity, CallerTraffic.MOST_REFUSALS, HeavyCallers.HINT_BITS));
    }

    void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        (kind == Kind.ALLOWED ? allowed : refused).count(endpoint, kind, decision, nowMillis);
    }
}
