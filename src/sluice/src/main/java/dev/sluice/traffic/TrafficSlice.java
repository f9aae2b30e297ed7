package dev.sluice.traffic;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A few seconds of traffic. Allowed and refused calls are tallied separately, because the busiest callers might never
 * be refused. Thread-safe.
 *
 * @param startMillis the start of the slice
 * @param allowed the callers with the most allowed calls
 * @param refused the callers with the most refusals, including those of dry runs
 * @param reportedElsewhere the allowed calls whose decision reports a different endpoint, by endpoint
 */
record TrafficSlice(
        long startMillis, CallerTallies allowed, CallerTallies refused, Map<String, LongAdder> reportedElsewhere) {

    TrafficSlice(long startMillis, int capacity) {
        this(
                startMillis,
                new CallerTallies(capacity, 0),
                new CallerTallies(capacity, CallerTraffic.MOST_REFUSALS),
                new ConcurrentHashMap<>());
    }

    void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        (kind == Kind.ALLOWED ? allowed : refused).count(endpoint, kind, decision, nowMillis);
        List<Endpoint> others = decision.otherEndpoints();
        if (decision.admitted()) {
            for (int i = 0; i < others.size(); i++) {
                allowedAt(others.get(i).id()).increment();
            }
        }
    }

    /** Returns the endpoint's adder. Tries a plain look-up first, because {@code computeIfAbsent} takes a lock. */
    private LongAdder allowedAt(String endpoint) {
        LongAdder known = reportedElsewhere.get(endpoint);
        return known == null ? reportedElsewhere.computeIfAbsent(endpoint, first -> new LongAdder()) : known;
    }
}
