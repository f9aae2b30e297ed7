package dev.sluice.fleet.served;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A way to call three instances, each time with callers that have never called before.
 *
 * @param name a name for the endpoint and the pattern
 * @param callers the number of callers with this pattern
 * @param target the path that they call
 * @param play makes all calls of one caller
 * @param counters the counters that have to reach the number of admitted calls in the last ledger, each by the part of
 *     its key after the caller
 */
record CallPattern(
        String name, int callers, String target, Function<ServedCaller, List<CallLedger>> play, List<String> counters) {

    /**
     * The file with the limits that are called. The machine may be busy, so Redis counts as unavailable only if it is
     * unresponsive for long, and more calls than by default may wait for the store, for a longer time.
     */
    static final String LIMITS = """
        store: { uri: "%s?timeout=10s" }
        sync: { every: 1s, timeout: 2s }
        pendingCalls: { waiting: 1000 }
        endpoints:
          - { id: warm-up, methods: [ GET ], pathPattern: /warm-up, tiers: [ { period: 1h, threshold: 100 } ] }
          - { id: page, methods: [ GET ], pathPattern: /page, tiers: [ { period: 1h, threshold: 100 } ] }
          - { id: burst, methods: [ GET ], pathPattern: /burst, tiers: [ { period: 1h, threshold: 100 } ] }
          - { id: flood, methods: [ GET ], pathPattern: /flood, tiers: [ { period: 1h, threshold: 100 } ] }
          - { id: moved, methods: [ GET ], pathPattern: /moved, tiers: [ { period: 1h, threshold: 100 } ] }
          - { id: ten, methods: [ GET ], pathPattern: /ten, tiers: [ { period: 1h, threshold: 10 } ] }
          - { id: five, methods: [ GET ], pathPattern: /five, tiers: [ { period: 1h, threshold: 5 } ] }
          - id: two-tiers
            methods: [ GET ]
            pathPattern: /two-tiers
            tiers: [ { period: 1h, threshold: 60 }, { period: 1d, threshold: 80 } ]
          - { id: narrow, methods: [ GET ], pathPattern: /both/*, tiers: [ { period: 1h, threshold: 30 } ] }
          - { id: wide, methods: [ GET ], pathPattern: /both/**, tiers: [ { period: 1h, threshold: 200 } ] }
          - { id: quiet, methods: [ GET ], pathPattern: /quiet, tiers: [ { period: 1h, threshold: 50 } ] }
          - id: bucket-page
            pathPattern: /bucket-page
            tiers: [ { period: 1h, threshold: 100, algorithm: token-bucket } ]
          - id: bucket-burst
            pathPattern: /bucket-burst
            tiers: [ { period: 1h, threshold: 100, algorithm: token-bucket } ]
          - id: refilled
            pathPattern: /refilled
            tiers: [ { period: 10s, threshold: 400, algorithm: token-bucket, burst: 50, sync: { every: 1s, slack: 0 } } ]
          - { id: slots, pathPattern: /slots, tiers: [ { threshold: 6, algorithm: concurrency } ] }
          - { id: moved-slots, pathPattern: /moved-slots, tiers: [ { threshold: 6, algorithm: concurrency } ] }
          - { id: five-again, methods: [ GET ], pathPattern: /five-again, tiers: [ { period: 10s, threshold: 5 } ] }
          - { id: ten-again, methods: [ GET ], pathPattern: /ten-again, tiers: [ { period: 10s, threshold: 10 } ] }
        """;

    /** The number of callers for patterns that take little time. */
    static final int MANY = 20;

    /** Calls with pauses. */
    static final List<CallPattern> PACED = List.of(
            ofWindow("100: 40 in turn, 10 ms apart", "/page", 100, in -> in.inTurn(40, millis(10)), "page:GET:1h"),
            ofWindow("100: 49 to one instance, 49 to another", "/moved", 100, CallPattern::moved, "moved:GET:1h"),
            ofWindow("10: 12 in turn, 50 ms apart", "/ten", 10, in -> in.inTurn(12, millis(50)), "ten:GET:1h"),
            ofWindow("5: 7 in turn, 300 ms apart", "/five", 5, in -> in.inTurn(7, millis(300)), "five:GET:1h"),
            ofWindow(
                    "60 in 1 h, 80 in 1 d: 70 at random, 10 ms apart",
                    "/two-tiers",
                    60,
                    in -> in.atRandom(70, millis(10)),
                    "two-tiers:GET:1h",
                    "two-tiers:GET:1d"),
            ofWindow(
                    "30 and 200 both match: 36 in turn, 20 ms apart",
                    "/both/1",
                    30,
                    in -> in.inTurn(36, millis(20)),
                    "narrow:GET:1h",
                    "wide:GET:1h"),
            ofWindow(
                    "token bucket 100: 40 in turn, 10 ms apart", "/bucket-page", 100, in -> in.inTurn(40, millis(10))));

    /** Calls without pauses, which leave a busy machine no time for other work. */
    static final List<CallPattern> AT_ONCE = List.of(
            ofWindow("100: 90 at once, at random", "/burst", 100, in -> in.atOnce(90), "burst:GET:1h"),
            ofWindow("100: 130 at once, at random", "/flood", 100, in -> in.atOnce(130), "flood:GET:1h"),
            ofWindow("token bucket 100: 90 at once", "/bucket-burst", 100, in -> in.atOnce(90)));

    static final CallPattern QUIET = new CallPattern(
            "50: 20 in turn, then one after each second",
            6,
            "/quiet",
            CallPattern::afterQuiet,
            List.of("quiet:GET:1h"));

    /** Calls with long pauses, which cost a busy machine little. */
    static final List<CallPattern> PATIENT = List.of(
            QUIET,
            new CallPattern(
                    "bucket of 50, 40/s: 12/s for 4 s, then 120 at once",
                    4,
                    "/refilled",
                    CallPattern::refilled,
                    List.of()),
            new CallPattern("6 slots: 8 used, at random", 4, "/slots?delay=600ms", CallPattern::slots, List.of()),
            new CallPattern(
                    "6 slots: 6 anywhere, then 6 to each instance",
                    4,
                    "/moved-slots?delay=300ms",
                    CallPattern::movedSlots,
                    List.of()),
            new CallPattern(
                    "5 in 10 s: spent, then one instance alone",
                    12,
                    "/five-again",
                    in -> again(in, 5),
                    List.of("five-again:GET:10s")),
            new CallPattern(
                    "10 in 10 s: spent, then one instance alone",
                    12,
                    "/ten-again",
                    in -> again(in, 10),
                    List.of("ten-again:GET:10s")));

    private static final Duration WINDOW_OF_AGAIN = Duration.ofSeconds(10);

    /** A pattern for many callers, with one ledger for all calls of a caller. */
    private static CallPattern ofWindow(
            String name, String target, int limit, Function<ServedCaller, List<Answer>> calls, String... counters) {
        return new CallPattern(
                name, MANY, target, caller -> List.of(ledger(limit, calls.apply(caller))), List.of(counters));
    }

    private static List<Answer> moved(ServedCaller caller) {
        List<Answer> answers = new ArrayList<>(caller.toOne(0, 49, millis(10)));
        answers.addAll(caller.toOne(1, 49, millis(10)));
        return answers;
    }

    /** Each of the last three calls comes after a second of quiet, and goes to another instance. */
    private static List<CallLedger> afterQuiet(ServedCaller caller) {
        List<Answer> answers = new ArrayList<>(caller.inTurn(20, millis(10)));
        for (int i = 0; i < ServedFleet.INSTANCES; i++) {
            ServedCaller.pauseUntil(lastNanos(answers) + millis(1100).toNanos());
            caller.awaitSettledAtLast(QUIET.counters(), answers);
            answers.addAll(caller.toOne(i, 1, Duration.ZERO));
        }
        return List.of(ledger(50, answers));
    }

    /**
     * The bucket is full before the burst of calls, because until then it was refilled three times as fast as it was
     * used.
     */
    private static List<CallLedger> refilled(ServedCaller caller) {
        List<Answer> steady = caller.inTurn(48, Duration.ofSeconds(1).dividedBy(12));
        ServedCaller.pauseUntil(lastNanos(steady) + millis(100).toNanos());
        List<Answer> burst = caller.atOnce(120);
        long refilled = (lastNanos(burst) - firstNanos(burst)) / millis(25).toNanos() + 1;
        return List.of(new CallLedger.OfWindow(steady.size(), 0, steady), new CallLedger.OfWindow(50, refilled, burst));
    }

    private static List<CallLedger> slots(ServedCaller caller) {
        return List.of(new CallLedger.OfSlots(6, millis(600).toNanos(), caller.atRandom(30, millis(75))));
    }

    /** All slots are free again before the next six calls. */
    private static List<CallLedger> movedSlots(ServedCaller caller) {
        List<Answer> answers = new ArrayList<>(caller.atOnce(6));
        for (int i = 0; i < ServedFleet.INSTANCES; i++) {
            ServedCaller.pauseUntil(lastNanos(answers) + millis(300).toNanos());
            answers.addAll(caller.toOne(i, 6, Duration.ZERO));
        }
        return List.of(new CallLedger.OfSlots(6, millis(300).toNanos(), answers));
    }

    /** Spends the limit, waits as the answers say, and calls one instance alone. */
    private static List<CallLedger> again(ServedCaller caller, int limit) {
        ServedFleet.awaitTimeLeft(WINDOW_OF_AGAIN, Duration.ofSeconds(4));
        List<Answer> spent = caller.inTurn(2 * limit, millis(50));
        ServedCaller.pauseUntil(
                spent.stream().mapToLong(Answer::retryNanos).max().orElseThrow());
        return List.of(ledger(limit, spent), ledger(limit, caller.toOne(2, limit, millis(50))));
    }

    private static CallLedger ledger(int limit, List<Answer> answers) {
        int slack = limit / 100; // 1 %, rounded down
        return new CallLedger.OfWindow(limit, (long) slack * ServedFleet.INSTANCES, answers);
    }

    private static long firstNanos(List<Answer> answers) {
        return answers.stream().mapToLong(Answer::sentNanos).min().orElseThrow();
    }

    private static long lastNanos(List<Answer> answers) {
        return answers.stream().mapToLong(Answer::answeredNanos).max().orElseThrow();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Override
    public String toString() {
        return name;
    }
}
