package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.CallLedger.Account;
import dev.sluice.benchmarks.trouble.CallLedger.Caller;
import dev.sluice.benchmarks.trouble.TroubleLoad.Demand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A long run that consists of many rounds. Each round has new callers, and every second round includes a failure. The
 * resources that instances and Redis use between rounds must not grow.
 */
final class Soak {

    private static final int CALLERS = 200;
    private static final double CALLS_A_SECOND = 0.5;
    private static final double SECONDS_OF_CALLS = 6;
    /** The time after which all two-second windows have ended and Redis has removed their keys. */
    private static final double SECONDS_OF_QUIET = 6;

    private static final int ROWS = 10;

    private static final List<TroubleScene> TROUBLES = List.of(
            TroubleScene.CALM,
            TroubleScene.CUT_CALLS,
            TroubleScene.CALM,
            TroubleScene.STALLS,
            TroubleScene.CALM,
            TroubleScene.EMPTIED,
            TroubleScene.CALM,
            TroubleScene.HICCUPS,
            TroubleScene.CALM,
            TroubleScene.REDIS_KILLED,
            TroubleScene.CALM,
            TroubleScene.RELOADS,
            TroubleScene.CALM,
            TroubleScene.PAUSE);

    private final Duration length;
    private final long seed;
    private final Path logs;
    private final List<Sample> samples = new ArrayList<>();
    private long calls;
    private long odd;
    private long over;

    Soak(Duration length, long seed, Path logs) {
        this.length = length;
        this.seed = seed;
        this.logs = logs;
    }

    /**
     * The resources in use after a round. Heap and threads are those of the instance that uses most of them, and
     * connections and keys are those of Redis. The heap is measured after a garbage collection.
     */
    private record Sample(long minute, long calls, long heapKilobytes, long threads, long connections, long keys) {

        private static final String MARKDOWN = "| %s | %s | %s | %s | %s | %s |";

        static String head() {
            return MARKDOWN.formatted("minute", "calls", "heap, MB", "threads", "Redis connections", "Redis keys")
                    + "\n|---|---|---|---|---|---|";
        }

        @Override
        public String toString() {
            return MARKDOWN.formatted(
                    minute, calls, "%.1f".formatted(heapKilobytes / 1024.0), threads, connections, keys);
        }
    }

    /**
     * Plays the rounds. Returns {@code true} if no resource usage grew, all calls received a response, and no caller
     * got more than one limit per instance.
     */
    boolean play() throws IOException {
        long began = System.nanoTime();
        System.out.println(Sample.head());
        try (World world = new World(World.Store.REDIS, seed, logs)) {
            Play.warmUp(world, seed);
            for (int round = 0; System.nanoTime() - began < length.toNanos(); round++) {
                play(world, round);
                samples.add(sample(
                        world, Duration.ofNanos(System.nanoTime() - began).toMinutes()));
                System.out.println(samples.get(samples.size() - 1));
            }
        }
        System.out.println("\nAt intervals:\n\n" + Sample.head());
        IntStream.range(0, ROWS)
                .map(row -> (samples.size() - 1) * row / (ROWS - 1))
                .mapToObj(samples::get)
                .forEach(System.out::println);
        System.out.printf(
                "%n%d rounds, %d calls, %d without a proper response, at most %d over%n",
                samples.size(), calls, odd, over);
        return Stream.of(
                        odd == 0,
                        over <= (World.INSTANCES - 1) * TroubleLimit.QUICK.threshold(),
                        isFlat("heap", Sample::heapKilobytes, 1.1),
                        isFlat("threads", Sample::threads, 1.02),
                        isFlat("connections", Sample::connections, 1),
                        isFlat("keys", Sample::keys, 1.1))
                .allMatch(Boolean::booleanValue);
    }

    private void play(World world, int round) {
        CallLedger ledger = new CallLedger();
        List<Demand> demands = IntStream.range(0, CALLERS)
                .mapToObj(i -> new Demand(new Caller("soak-" + round + "-" + i, TroubleLimit.QUICK), CALLS_A_SECOND))
                .toList();
        List<Demand> all = new ArrayList<>(demands);
        all.add(new Demand(new Caller("soak-" + round, TroubleLimit.QUICK), 20));
        TroubleLoad.during(
                () -> {
                    world.seconds(SECONDS_OF_CALLS / 2);
                    TROUBLES.get(round % TROUBLES.size()).trouble(world);
                    world.seconds(SECONDS_OF_CALLS / 2);
                },
                world,
                ledger,
                all,
                seed + round);
        calls += ledger.calls().count();
        odd += ledger.calls().filter(call -> !call.passed() && !call.refused()).count();
        over = Math.max(
                over, ledger.accounts().stream().mapToLong(Account::over).max().orElse(0));
        world.seconds(SECONDS_OF_QUIET);
    }

    private Sample sample(World world, long minute) {
        List<long[]> figures = world.instances().stream()
                .map(instance -> Arrays.stream(
                                instance.ask(InstanceMain.FIGURES).split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
        ToLongFunction<Integer> most =
                column -> figures.stream().mapToLong(row -> row[column]).max().orElseThrow();
        String clients = (String) world.master().call("INFO", "clients");
        return new Sample(
                minute,
                calls,
                most.applyAsLong(0) / 1024,
                most.applyAsLong(1),
                Long.parseLong(clients.replaceAll("(?s).*connected_clients:(\\d+).*", "$1")) - 1, // minus our own
                (Long) world.master().call("DBSIZE"));
    }

    /**
     * Whether the median of the last third is no higher than that of the second third, apart from the permitted growth.
     */
    private boolean isFlat(String what, Function<Sample, Long> figure, double growth) {
        int third = samples.size() / 3;
        long before = median(samples.subList(third, 2 * third), figure);
        long last = median(samples.subList(2 * third, samples.size()), figure);
        boolean flat = last <= before * growth + 1;
        System.out.printf(
                "%s: %d in the second third, %d in the last: %s%n", what, before, last, flat ? "flat" : "GROWS");
        return flat;
    }

    private static long median(List<Sample> some, Function<Sample, Long> figure) {
        return some.stream()
                .map(figure)
                .sorted()
                .skip(some.size() / 2)
                .findFirst()
                .orElse(0L);
    }
}
