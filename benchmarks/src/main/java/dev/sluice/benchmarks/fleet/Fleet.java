package dev.sluice.benchmarks.fleet;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** The instances of one contestant, their Redis, and the threads that call them. */
final class Fleet implements AutoCloseable {

    final Contestant contestant;
    private final Redis redis = Redis.open();
    private final Load load = new Load();
    private final List<Instance> instances;
    private int plays;

    Fleet(Contestant contestant, int size) {
        this.contestant = contestant;
        this.instances = IntStream.range(0, size)
                .mapToObj(i -> contestant.opener().apply(redis.uri()))
                .toList();
    }

    /**
     * Plays arrivals of tenants that nobody has seen before. What Redis runs is counted from the first window on.
     *
     * @param startMillis when the first window begins, in milliseconds since 1970
     * @param newEachWindow so many tenants are replaced by others in each window
     */
    Outcome.Round play(Arrivals arrivals, long startMillis, int newEachWindow) {
        Names names = Names.of(plays++, arrivals.windows, newEachWindow);
        Played played = Played.from(arrivals, startMillis);
        List<Future<?>> workers = load.start(played, instances, names);
        Pause.untilNanos(played.startNanos);
        Map<String, Long> before = redis.commandCalls();
        Load.await(workers);
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
        load.close();
        instances.forEach(Instance::close);
        redis.close();
    }
}
