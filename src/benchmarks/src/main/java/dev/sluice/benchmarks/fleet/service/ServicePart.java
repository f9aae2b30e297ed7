package dev.sluice.benchmarks.fleet.service;

import dev.sluice.Call;
import dev.sluice.benchmarks.fleet.rig.Crowd;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.Instance;
import dev.sluice.benchmarks.fleet.rig.MeasuredCall;
import dev.sluice.benchmarks.fleet.rig.MeasuredWaits;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import dev.sluice.benchmarks.fleet.rig.Redis;
import dev.sluice.benchmarks.fleet.rig.Usage;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays the traffic of a typical service with three instances, eight endpoints with a limit per minute, and 2,000
 * tenants. The tenant, endpoint and instance of each call are random. Prints the cost for Redis, the heap and the
 * calls.
 */
public final class ServicePart implements ExperimentPart {

    private static final int INSTANCES = 3;
    private static final int ENDPOINTS = 8;
    private static final int TENANTS = 2_000;

    /**
     * The time before the measurement. It is long enough for all tenants to call all endpoints and for the counters of
     * the first window to expire.
     */
    private static final Duration LEAD = Duration.ofSeconds(60);

    private static final Duration MEASURED = Duration.ofSeconds(60);
    private static final int[] CALLS_PER_SECOND = {0, 100, 1_000, 4_000};
    private static final long SEED = 42;

    private static String title(int callsPerSecond) {
        return String.format(
                Locale.ROOT,
                "Service: %d instances, %d endpoints, %,d tenants, %,d calls/s",
                INSTANCES,
                ENDPOINTS,
                TENANTS,
                callsPerSecond);
    }

    private static IntStream loads(String words) {
        return IntStream.of(CALLS_PER_SECOND).filter(load -> title(load).contains(words));
    }

    @Override
    public List<String> titles(String words) {
        return loads(words).mapToObj(ServicePart::title).toList();
    }

    @Override
    public List<Figure> play(String words) {
        List<Figure> figures = new ArrayList<>();
        try (Crowd crowd = new Crowd()) {
            loads(words).forEach(load -> figures.add(play(load, crowd)));
        }
        return figures;
    }

    private static Figure play(int callsPerSecond, Crowd crowd) {
        List<PlannedCall> plan = plan(callsPerSecond);
        List<String> callers = callers();
        long heapEmpty = heap();
        try (Redis redis = Redis.open()) {
            long redisEmpty = redis.bytes();
            List<Instance> fleet = IntStream.range(0, INSTANCES)
                    .mapToObj(instance -> (Instance) new Service(file(redis.uri())))
                    .toList();
            try {
                long start = System.nanoTime() + LEAD.toNanos();
                Crowd.Play play = crowd.start(plan, callers, fleet, start);
                Pause.untilNanos(start);
                Usage before = redis.usage();
                Pause.untilNanos(start + MEASURED.toNanos());
                Usage used = redis.usage().since(before);
                long redisBytes = redis.bytes() - redisEmpty;
                Answers answers = Answers.of(play);
                print(callsPerSecond, answers, used, redisBytes, (heap() - heapEmpty) / INSTANCES);
                return new Figure(title(callsPerSecond) + ": calls refused early", answers.refused(), 0);
            } finally {
                fleet.forEach(Instance::close);
            }
        }
    }

    /**
     * The results of the calls. Individual calls are not stored, so that the heap can be measured afterwards.
     *
     * @param refused the number of refused calls, although no tenant reaches a limit
     */
    private record Answers(long refused, MeasuredWaits waits) {

        static Answers of(Crowd.Play play) {
            List<MeasuredCall> calls = play.await();
            return new Answers(
                    calls.stream().filter(call -> !call.admitted()).count(),
                    MeasuredWaits.of(calls.stream()
                            .filter(call -> call.planned().dueNanos() > 0)
                            .mapToDouble(MeasuredCall::micros)
                            .toArray()));
        }
    }

    private static void print(int callsPerSecond, Answers answers, Usage used, long redisBytes, long heapBytes) {
        double seconds = MEASURED.toSeconds();
        System.out.printf(
                Locale.ROOT,
                "%n%s%n  Redis: %,.0f commands/s, %.1f of them scripts; %.1f %% of a core; %.1f MB%n"
                        + "  each instance: %.1f MB of heap%n  calls that took over 0.5 ms: %.2f %%%n",
                title(callsPerSecond),
                used.commands() / seconds,
                (used.runs("evalsha") + used.runs("eval")) / seconds,
                100 * used.cpuSeconds() / seconds,
                redisBytes / 1e6,
                heapBytes / 1e6,
                answers.waits().percent());
    }

    /** Plans the calls. The caller of each call is a combination of a tenant and an endpoint. */
    private static List<PlannedCall> plan(int callsPerSecond) {
        Random random = new Random(SEED);
        long nanos = LEAD.plus(MEASURED).toNanos();
        long calls = callsPerSecond * LEAD.plus(MEASURED).toSeconds();
        return Stream.generate(() -> new PlannedCall(
                        (long) (random.nextDouble() * nanos) - LEAD.toNanos(),
                        random.nextInt(TENANTS * ENDPOINTS),
                        random.nextInt(INSTANCES)))
                .limit(calls)
                .sorted((one, other) -> Long.compare(one.dueNanos(), other.dueNanos()))
                .toList();
    }

    private static List<String> callers() {
        return IntStream.range(0, TENANTS * ENDPOINTS)
                .mapToObj(caller -> "/endpoint-" + caller % ENDPOINTS + "/1 tenant-" + caller / ENDPOINTS)
                .toList();
    }

    private static Path file(String uri) {
        StringBuilder file = new StringBuilder("store: { uri: \"" + uri + "\" }\nendpoints:\n");
        for (int i = 0; i < ENDPOINTS; i++) {
            file.append("  - { id: endpoint-" + i + ", methods: [ GET ], pathPattern: /endpoint-" + i
                    + "/*, tiers: [ { period: 1m, threshold: 600 } ] }\n");
        }
        try {
            return Files.writeString(Files.createTempFile("rate-limits", ".yml"), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The heap in use after a garbage collection. */
    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** An instance that opens the file in the same way as a service. */
    private static final class Service implements Instance {

        private final Sluice limits;

        Service(Path file) {
            this.limits = Sluice.open(file.toString());
        }

        /** Decides whether a call of the given caller passes. The caller's name consists of a path and a tenant. */
        @Override
        public boolean admits(String caller) {
            int blank = caller.indexOf(' ');
            return limits.decide(new ServiceCall(caller.substring(0, blank), caller.substring(blank + 1)))
                    .admitted();
        }

        @Override
        public void close() {
            limits.close();
        }
    }

    private record ServiceCall(String path, String tenant) implements Call {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String ip() {
            return "192.0.2.1";
        }

        @Override
        public @Nullable String header(String name) {
            return name.equalsIgnoreCase("X-Org-Id") ? tenant : null;
        }
    }
}
