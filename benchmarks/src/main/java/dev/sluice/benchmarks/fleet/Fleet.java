package dev.sluice.benchmarks.fleet;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The instances of one contestant and their Redis. */
final class Fleet implements AutoCloseable {

    final Contestant contestant;
    private final Redis redis = Redis.open();
    private final List<Instance> instances;
    private int plays;

    Fleet(Contestant contestant, int size) {
        this.contestant = contestant;
        this.instances = IntStream.range(0, size)
                .mapToObj(i -> contestant.opener().apply(redis.uri()))
                .toList();
    }

    /** Plays arrivals of tenants that nobody has seen before, as if begun at that moment. */
    Outcome.Round play(Load load, Arrivals arrivals, long startMillis, boolean newEachWindow) {
        String[][] tenants = new String[arrivals.windows][Rule.TENANTS];
        for (int window = 0; window < arrivals.windows; window++) {
            for (int tenant = 0; tenant < Rule.TENANTS; tenant++) {
                tenants[window][tenant] = "tenant-%d-%d-%d".formatted(plays, newEachWindow ? window : 0, tenant);
            }
        }
        plays++;
        Map<String, Long> before = redis.commandCalls();
        Played played = load.play(arrivals, startMillis, instances, tenants);
        return new Outcome.Round(played, difference(before, redis.commandCalls()));
    }

    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> grown = new TreeMap<>(after);
        before.forEach((command, calls) -> grown.merge(command, -calls, Long::sum));
        grown.values().removeIf(calls -> calls == 0);
        return grown;
    }

    String redisVersion() {
        return redis.version();
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        redis.close();
    }
}
