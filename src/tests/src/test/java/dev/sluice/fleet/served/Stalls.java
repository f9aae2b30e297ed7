package dev.sluice.fleet.served;

import dev.sluice.MachineWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays bursts of new callers to a fleet in which some processes are paused for a moment now and then, and keeps a
 * ledger of its own.
 */
final class Stalls {

    /** The file has all defaults, as most users have them. */
    static final String LIMITS = """
        store: { uri: "%s" }
        endpoints:
          - { id: warm-up, methods: [ GET ], pathPattern: /warm-up, tiers: [ { period: 1h, threshold: 100 } ] }
          - { id: five, methods: [ GET ], pathPattern: /five, tiers: [ { period: 1h, threshold: 5 } ] }
          - { id: ten, methods: [ GET ], pathPattern: /ten, tiers: [ { period: 1h, threshold: 10 } ] }
          - { id: hundred, methods: [ GET ], pathPattern: /hundred, tiers: [ { period: 1h, threshold: 100 } ] }
        """;

    private static final Map<String, Integer> THRESHOLDS = Map.of("five", 5, "ten", 10, "hundred", 100);

    private static final Duration STARTS_WITHIN = Duration.ofSeconds(6);
    private static final List<Integer> GAPS_MILLIS = List.of(0, 1, 5, 20, 50);
    private static final int LARGEST_BURST = 30;
    private static final int LONGEST_PAUSE_MILLIS = 600;
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(10);

    /** How long this process may be starved of CPU; if it was starved longer, a failure proves nothing. */
    private static final long LONGEST_LATE_MILLIS = 25;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ServedFleet fleet;
    private final Random random;
    private final String name = "run-" + NUMBER.incrementAndGet();

    private Stalls(ServedFleet fleet, long seed) {
        this.fleet = fleet;
        this.random = new Random(seed);
    }

    /** The processes that are paused. */
    enum Victim {
        NOTHING,
        AN_INSTANCE,
        REDIS,
        /** An instance or Redis. */
        EITHER,
        /** Each instance, which pauses whenever it has used up its half of a core. */
        WITHOUT_QUOTA;

        private List<Long> stopped(ServedFleet fleet) {
            List<Long> pids = new ArrayList<>();
            if (this == AN_INSTANCE || this == EITHER) {
                pids.addAll(fleet.pids());
            }
            if (this == REDIS || this == EITHER) {
                pids.add(fleet.redisPid());
            }
            return pids;
        }
    }

    /**
     * A caller that has never called before.
     *
     * @param endpoint by its id
     */
    private record Caller(String name, String endpoint) {

        long limit() {
            return THRESHOLDS.get(endpoint);
        }

        CallLedger ledger(List<Answer> answers) {
            return new CallLedger.OfWindow(limit(), ServedFleet.INSTANCES * (limit() / 100), answers);
        }
    }

    /**
     * A call to be made.
     *
     * @param atNanos the time of the call after the start
     */
    private record Planned(Caller caller, int instance, long atNanos) {}

    /**
     * The result of a run.
     *
     * @param stalls how often a process was paused
     * @param early calls that were refused before the limit was used up
     * @param missing calls that should have passed and did not, including those that were refused early
     * @param unsettled callers for which Redis knew another number than that of the admitted calls
     * @param lateMillis how long this process was starved of CPU, or how much longer than intended a process was paused
     */
    record Result(
            long calls,
            long stalls,
            long early,
            long missing,
            long over,
            long unsettled,
            List<String> warnings,
            long p99Millis,
            long longestMillis,
            long lateMillis) {

        boolean isGood() {
            return early == 0 && missing == 0 && over == 0 && unsettled == 0 && warnings.isEmpty();
        }

        /** Whether the machine was so busy that a failure proves nothing. */
        boolean isLate() {
            return lateMillis > LONGEST_LATE_MILLIS;
        }

        static String head() {
            return "%6s %6s %6s %7s %5s %9s %8s %7s %7s %7s"
                    .formatted(
                            "calls",
                            "stalls",
                            "early",
                            "missing",
                            "over",
                            "unsettled",
                            "warnings",
                            "p99 ms",
                            "longest",
                            "late");
        }

        @Override
        public String toString() {
            return "%6d %6d %6d %7d %5d %9d %8d %7d %7d %7d"
                    .formatted(
                            calls,
                            stalls,
                            early,
                            missing,
                            over,
                            unsettled,
                            warnings.size(),
                            p99Millis,
                            longestMillis,
                            lateMillis);
        }
    }

    static void warmUp(ServedFleet fleet) {
        for (int i = 0; i < 8; i++) {
            new ServedCaller(fleet, "/warm-up", i).atRandom(120, Duration.ofMillis(2));
        }
    }

    /** Plays one run. The same seed gives the same calls, each time by other callers. */
    static Result play(ServedFleet fleet, Victim victim, long seed) {
        ServedFleet.awaitTimeLeft(Duration.ofHours(1), Duration.ofSeconds(30));
        return new Stalls(fleet, seed).play(victim, seed);
    }

    private Result play(Victim victim, long seed) {
        List<Planned> plan = plan();
        int warnedBefore = fleet.warnings().size();
        Staller staller = new Staller(victim.stopped(fleet), seed);
        CpuQuota quota = new CpuQuota(victim == Victim.WITHOUT_QUOTA ? fleet.pids() : List.of());
        MachineWatch watch = new MachineWatch();
        Map<Caller, List<Answer>> answers;
        long stalls;
        try (staller;
                quota;
                watch) {
            answers = call(plan);
            stalls = staller.stalls() + quota.stalls();
        }
        List<CallLedger> ledgers = answers.entrySet().stream()
                .map(entry -> entry.getKey().ledger(entry.getValue()))
                .toList();
        long[] took = answers.values().stream()
                .flatMap(List::stream)
                .mapToLong(Answer::tookNanos)
                .sorted()
                .toArray();
        long unsettled = unsettled(answers);
        List<String> warnings = fleet.warnings();
        return new Result(
                took.length,
                stalls,
                ledgers.stream().mapToLong(CallLedger::refusedEarly).sum(),
                ledgers.stream().mapToLong(CallLedger::missing).sum(),
                ledgers.stream().mapToLong(CallLedger::over).sum(),
                unsettled,
                warnings.subList(warnedBefore, warnings.size()),
                TimeUnit.NANOSECONDS.toMillis(took[took.length * 99 / 100]),
                TimeUnit.NANOSECONDS.toMillis(took[took.length - 1]),
                Math.max(watch.longestPause().toMillis(), staller.longestMillis() - Staller.LONGEST_MILLIS));
    }

    private List<Planned> plan() {
        List<Planned> plan = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            plan.addAll(plan("five", i, 8));
            plan.addAll(plan("ten", i, 14));
        }
        for (int i = 0; i < 16; i++) {
            plan.addAll(plan("hundred", i, 125));
        }
        plan.sort(Comparator.comparingLong(Planned::atNanos));
        return plan;
    }

    /** A number of calls of one caller, in bursts. */
    private List<Planned> plan(String endpoint, int number, int calls) {
        Caller caller = new Caller(name + "-" + endpoint + "-" + number, endpoint);
        List<Planned> plan = new ArrayList<>();
        double atMillis = random.nextDouble() * STARTS_WITHIN.toMillis();
        while (plan.size() < calls) {
            int burst = Math.min(calls - plan.size(), 1 + random.nextInt(LARGEST_BURST));
            int gapMillis = GAPS_MILLIS.get(random.nextInt(GAPS_MILLIS.size()));
            for (int i = 0; i < burst; i++) {
                plan.add(new Planned(caller, random.nextInt(ServedFleet.INSTANCES), (long) (atMillis * 1e6)));
                atMillis += gapMillis;
            }
            atMillis += random.nextDouble() * LONGEST_PAUSE_MILLIS;
        }
        return plan;
    }

    private Map<Caller, List<Answer>> call(List<Planned> plan) {
        long start = System.nanoTime();
        Map<Caller, List<CompletableFuture<Answer>>> answers = new LinkedHashMap<>();
        for (Planned call : plan) {
            ServedCaller.pauseUntil(start + call.atNanos);
            Caller caller = call.caller;
            answers.computeIfAbsent(caller, any -> new ArrayList<>())
                    .add(fleet.send(call.instance, "/" + caller.endpoint, caller.name));
        }
        Map<Caller, List<Answer>> answered = new LinkedHashMap<>();
        answers.forEach((caller, all) ->
                answered.put(caller, all.stream().map(CompletableFuture::join).toList()));
        return answered;
    }

    private long unsettled(Map<Caller, List<Answer>> answers) {
        long deadline = System.nanoTime() + SETTLED_WITHIN.toNanos();
        return answers.entrySet().stream()
                .filter(entry -> !fleet.awaitTotals(
                        entry.getKey().name,
                        List.of(entry.getKey().endpoint + ":GET:1h"),
                        entry.getValue().stream().filter(Answer::admitted).count(),
                        deadline))
                .count();
    }
}
