package dev.sluice.internal.traffic.sketch;

import dev.sluice.internal.traffic.sketch.Tally.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The number of calls of each endpoint, by outcome. Thread-safe; takes a lock only for the first call of an endpoint.
 */
final class EndpointSums {

    private final Map<String, LongAdder[]> sums = new ConcurrentHashMap<>();

    void add(String endpoint, Kind kind, long calls) {
        LongAdder @Nullable [] known = sums.get(endpoint);
        LongAdder[] sum = known == null ? sums.computeIfAbsent(endpoint, first -> zero()) : known;
        sum[kind.at].add(calls);
    }

    private static LongAdder[] zero() {
        LongAdder[] zero = new LongAdder[Kind.values().length];
        for (int kind = 0; kind < zero.length; kind++) {
            zero[kind] = new LongAdder();
        }
        return zero;
    }

    /** The sums by endpoint and kind. */
    Map<String, long[]> sums() {
        Map<String, long[]> copy = new HashMap<>();
        sums.forEach((endpoint, sum) -> {
            long[] calls = new long[sum.length];
            for (int kind = 0; kind < calls.length; kind++) {
                calls[kind] = sum[kind].sum();
            }
            copy.put(endpoint, calls);
        });
        return copy;
    }
}
