package dev.sluice.traffic;

import dev.sluice.Decision;
import dev.sluice.traffic.sketch.HeavyCallers;
import dev.sluice.traffic.sketch.Tally.Kind;

/**
 * Some seconds of traffic. Each call is counted in one of two, for whoever calls most may never be refused.
 *
 * @param startMillis when they began
 * @param allowed whose calls passed most
 * @param refused who was refused most, also by dry runs
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
