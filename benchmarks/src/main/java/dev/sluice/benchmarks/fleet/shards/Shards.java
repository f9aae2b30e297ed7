package dev.sluice.benchmarks.fleet.shards;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.Part;
import dev.sluice.benchmarks.fleet.rig.Redis;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Plays exchanges of 500 instances with a Redis Cluster of three masters, with more and more shards. */
public final class Shards implements Part {

    private static final int SENDERS = 500;
    private static final int COUNTERS = 1_000;
    private static final int EXCHANGES = 4_000;
    private static final int AT_A_TIME = 20;
    private static final long THRESHOLD = 100_000;
    private static final long LEASE_MILLIS = 5_000;
    private static final long WINDOW_MILLIS = 3_600_000;

    @Override
    public List<String> titles(String words) {
        return numbers(words).map(Shards::title).toList();
    }

    private static Stream<Integer> numbers(String words) {
        return Stream.of(1, 4, 8, 16, 32, 64).filter(shards -> title(shards).contains(words));
    }

    private static String title(int shards) {
        return "Shards: " + SENDERS + " instances, three masters, shards " + shards;
    }

    @Override
    public List<Figure> play(String words) {
        System.out.printf("%-55s %10s %10s %10s %14s%n", "", "counters", "scripts", "commands", "Redis, ms");
        numbers(words).forEach(shards -> {
            try (RedisCluster cluster = RedisCluster.open();
                    CounterStore store = CounterStores.open(cluster.uri() + "?timeout=10s&shards=" + shards)) {
                Player player = new Player(store);
                for (int counters : new int[] {10, 25}) {
                    player.play(SENDERS, counters); // warm-up: makes each sender known and most counters used
                    Usage before = usage(cluster);
                    player.play(EXCHANGES, counters);
                    Usage used = usage(cluster).since(before);
                    System.out.printf(
                            Locale.ROOT,
                            "%-55s %10d %10.1f %10.1f %14.2f%n",
                            title(shards),
                            counters,
                            (double) used.runs("evalsha") / EXCHANGES,
                            (double) used.commands() / EXCHANGES,
                            1e3 * used.cpuSeconds() / EXCHANGES);
                }
            }
        });
        return List.of();
    }

    private static Usage usage(RedisCluster cluster) {
        return cluster.nodes().stream().map(Redis::usage).reduce(Usage.NONE, Usage::plus);
    }

    /** Sends batches of all senders in turn, each with some random counters. */
    private static final class Player {

        private final CounterStore store;
        private final Random random = new Random(42);
        private final long start = System.currentTimeMillis() / WINDOW_MILLIS * WINDOW_MILLIS;
        private final long[] sequences = new long[SENDERS];
        private int next;

        private Player(CounterStore store) {
            this.store = store;
        }

        private void play(int exchanges, int counters) {
            List<CompletableFuture<?>> underWay = new ArrayList<>();
            for (int i = 0; i < exchanges; i++) {
                underWay.add(store.exchange(batch(counters)).toCompletableFuture());
                if (underWay.size() == AT_A_TIME) {
                    CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)).join();
                    underWay.clear();
                }
            }
        }

        private Batch batch(int counters) {
            int sender = next++ % SENDERS;
            List<Statement> statements = IntStream.generate(() -> random.nextInt(COUNTERS))
                    .distinct()
                    .limit(counters)
                    .mapToObj(this::statement)
                    .toList();
            return new Batch("instance-" + sender, ++sequences[sender], statements);
        }

        /** A statement that reports a call, holds a permit and requests another. */
        private Statement statement(int counter) {
            Subject subject = new Subject("tenant", "header:X-Org-Id", "tenant-" + counter);
            CounterKey key = new CounterKey("shop", "GET", "3600s", List.of(subject), start, start + WINDOW_MILLIS);
            List<Use> uses = List.of(new Use(0, 1));
            return new Statement(key, uses, 1, Need.NONE, 1, LEASE_MILLIS, new Rule.Total(THRESHOLD));
        }
    }
}
