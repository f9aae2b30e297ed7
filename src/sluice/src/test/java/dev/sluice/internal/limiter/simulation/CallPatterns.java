package dev.sluice.internal.limiter.simulation;

import static dev.sluice.internal.limiter.simulation.CallPattern.Deal.AT_RANDOM;
import static dev.sluice.internal.limiter.simulation.CallPattern.Deal.IN_TURN;
import static dev.sluice.internal.limiter.simulation.CallPattern.Deal.MOVED;
import static dev.sluice.internal.limiter.simulation.CallPattern.Deal.STICKY;
import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.calls;
import static dev.sluice.internal.limiter.simulation.CallPattern.leaky;
import static dev.sluice.internal.limiter.simulation.CallPattern.log;
import static dev.sluice.internal.limiter.simulation.CallPattern.pattern;
import static dev.sluice.internal.limiter.simulation.CallPattern.sliding;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static dev.sluice.internal.limiter.simulation.CallPattern.thenPause;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;

import java.util.List;
import java.util.stream.Stream;

/** The ways to call that {@link FleetSimulation} plays. */
final class CallPatterns {

    private CallPatterns() {}

    static List<CallPattern> all() {
        return Stream.of(pages(), crowds(), pauses(), bucketPatterns(), slidingPatterns(), slotPatterns(), retries())
                .flatMap(List::stream)
                .toList();
    }

    /** Callers who take their time, under limits of these thresholds: all to one instance, or dealt over several. */
    static List<CallPattern> leisurely() {
        return Stream.of(5, 10, 60, 100)
                .flatMap(threshold -> Stream.of(400, 1_000, 2_000, 4_000)
                        .flatMap(gap -> Stream.of(
                                leisurely(threshold, gap, STICKY, 3),
                                leisurely(threshold, gap, IN_TURN, 3),
                                leisurely(threshold, gap, AT_RANDOM, 3),
                                leisurely(threshold, gap, IN_TURN, 20),
                                leisurely(threshold, gap, AT_RANDOM, 20))))
                .toList();
    }

    /** As many calls as the limit lets pass, and two more. */
    static CallPattern leisurely(int threshold, int gapMillis, CallPattern.Deal deal, int instances) {
        String name = "%d/1d: every %d ms, %d %s".formatted(threshold, gapMillis, instances, deal);
        return pattern(name, window(threshold, "P1D"), deal, calls(threshold + 2, gapMillis))
                .to(instances);
    }

    /** On each of many instances, calls wait for the few permits or slots that others hold. */
    static List<CallPattern> ofManyWaiting() {
        return List.of(
                pattern("6 slots: 400 at random, 5 ms, 100 instances", slots(6), AT_RANDOM, calls(400, 5))
                        .to(100),
                pattern("60 slots: 2000 at random, 0.5 ms, 100 instances", slots(60), AT_RANDOM, calls(2_000, 0.5))
                        .to(100),
                pattern(
                                "100/1h: 300 of cost 1 to 9, 2 ms, 100 instances",
                                window(100, "PT1H"),
                                AT_RANDOM,
                                calls(300, 2))
                        .to(100)
                        .costing(9),
                pattern("1000/1h: 1200 at random, 1 ms, 500 instances", window(1000, "PT1H"), AT_RANDOM, calls(1200, 1))
                        .to(500));
    }

    private static List<CallPattern> pages() {
        return List.of(
                pattern("100/1h: 40 in turn, 10 ms", window(100, "PT1H"), IN_TURN, calls(40, 10)),
                pattern("100/1h: 49 to one, 49 to another", window(100, "PT1H"), MOVED, calls(98, 5)),
                pattern("100/1h: 120 to one, 10 ms", window(100, "PT1H"), STICKY, calls(120, 10)),
                pattern("10/1h: 12 in turn, 50 ms", window(10, "PT1H"), IN_TURN, calls(12, 50)),
                pattern("5/1h: 7 in turn, 300 ms", window(5, "PT1H"), IN_TURN, calls(7, 300)),
                pattern("1/1h: 5 in turn, 5 ms", window(1, "PT1H"), IN_TURN, calls(5, 5)),
                pattern("3/1h: 9 at random, 30 ms, 2 instances", window(3, "PT1H"), AT_RANDOM, calls(9, 30))
                        .to(2),
                pattern("20/1h: 24 in turn, 20 ms, 8 instances", window(20, "PT1H"), IN_TURN, calls(24, 20))
                        .to(8),
                pattern("100/1h: 60 in turn, 2 ms, 8 instances", window(100, "PT1H"), IN_TURN, calls(60, 2))
                        .to(8),
                pattern("100/1h: 150 in turn, 2 ms, 8 instances", window(100, "PT1H"), IN_TURN, calls(150, 2))
                        .to(8),
                pattern("1000/1h: 1200 at random, 1 ms", window(1000, "PT1H"), AT_RANDOM, calls(1200, 1)),
                pattern("1000/1h: 1200 in turn, 3 ms, 20 instances", window(1000, "PT1H"), IN_TURN, calls(1200, 3))
                        .to(20),
                pattern("60/1h and 80/1d: 70 at random, 10 ms", window(1, "PT1H"), AT_RANDOM, calls(70, 10))
                        .under(List.of(List.of(window(60, "PT1H"), window(80, "P1D")))),
                pattern("30/1h and 200/1h of two endpoints: 36 in turn", window(1, "PT1H"), IN_TURN, calls(36, 20))
                        .under(List.of(List.of(window(30, "PT1H")), List.of(window(200, "PT1H")))),
                pattern("100/1h: 80 of cost 1 to 3 at random, 10 ms", window(100, "PT1H"), AT_RANDOM, calls(80, 10))
                        .costing(3));
    }

    private static List<CallPattern> crowds() {
        return List.of(
                pattern("100/1h: 90 at once", window(100, "PT1H"), AT_RANDOM, calls(90, 0)),
                pattern("100/1h: 49 and 49 at once", window(100, "PT1H"), MOVED, calls(98, 0)),
                pattern("7/1h: 40 at once, 8 instances", window(7, "PT1H"), AT_RANDOM, calls(40, 0))
                        .to(8),
                pattern("1000/1h: 1200 at once, 20 instances", window(1000, "PT1H"), AT_RANDOM, calls(1200, 0))
                        .to(20),
                pattern("10000/1h: 12000 at random, 0.1 ms", window(10000, "PT1H"), AT_RANDOM, calls(12000, 0.1)));
    }

    private static List<CallPattern> pauses() {
        return List.of(
                pattern(
                        "100/1h: 30 in turn, pause, 30, pause, 60 at once",
                        window(100, "PT1H"),
                        IN_TURN,
                        thenPause(30, 10, 1500),
                        thenPause(30, 10, 3000),
                        calls(60, 0)),
                pattern(
                        "300/1h: 100 to one, pause, 100 moved, pause, 150",
                        window(300, "PT1H"),
                        MOVED,
                        thenPause(100, 5, 700),
                        thenPause(100, 5, 1200),
                        calls(150, 4)),
                pattern("50/1s: 200 at random, 15 ms", window(50, "PT1S"), AT_RANDOM, calls(200, 15)),
                pattern("3/1s: 40 in turn, 100 ms", window(3, "PT1S"), IN_TURN, calls(40, 100)),
                pattern("40/1d: 50 in turn, 2 min", window(40, "P1D"), IN_TURN, calls(50, 120_000)),
                pattern(
                        "500/1m: 6 bursts of 100, 10 s between",
                        window(500, "PT1M"),
                        AT_RANDOM,
                        thenPause(100, 1, 10_000),
                        thenPause(100, 1, 10_000),
                        thenPause(100, 1, 10_000),
                        thenPause(100, 1, 10_000),
                        thenPause(100, 1, 10_000),
                        calls(100, 1)));
    }

    private static List<CallPattern> bucketPatterns() {
        return List.of(
                pattern("bucket 100/1h: 40 in turn, 10 ms", bucket(100, "PT1H", 100), IN_TURN, calls(40, 10)),
                pattern("bucket 100/1h: 90 at once", bucket(100, "PT1H", 100), AT_RANDOM, calls(90, 0)),
                pattern(
                        "bucket 400/10s, burst 50: 3/s, then 120 at once",
                        bucket(400, "PT10S", 50),
                        AT_RANDOM,
                        calls(12, 333),
                        calls(120, 0)),
                pattern(
                        "bucket 400/10s, burst 50: 12/s, then 120 at once",
                        bucket(400, "PT10S", 50),
                        AT_RANDOM,
                        calls(48, 83),
                        calls(120, 0)),
                pattern(
                        "bucket 400/10s, burst 50: 30/s, then 120 at once",
                        bucket(400, "PT10S", 50),
                        AT_RANDOM,
                        calls(120, 33),
                        calls(120, 0)),
                pattern("leaky 20/5s: 60 in turn, 100 ms", leaky(20, "PT5S"), IN_TURN, calls(60, 100)));
    }

    private static List<CallPattern> slidingPatterns() {
        return List.of(
                pattern(
                        "sliding window 100/10s: 300 at random, 50 ms",
                        sliding(100, "PT10S", 1),
                        AT_RANDOM,
                        calls(300, 50)),
                pattern(
                        "sliding window 60/4s in 4: 200 in turn, 40 ms",
                        sliding(60, "PT4S", 4),
                        IN_TURN,
                        calls(200, 40)),
                pattern("log 10/10s: 40 in turn, 400 ms", log(10, "PT10S"), IN_TURN, calls(40, 400)),
                pattern("log 10/10s: 20 of cost 1 to 3, 100 ms", log(10, "PT10S"), AT_RANDOM, calls(20, 100))
                        .costing(3));
    }

    private static List<CallPattern> slotPatterns() {
        return List.of(
                pattern("6 slots: 200 at random, 15 ms", slots(6), AT_RANDOM, calls(200, 15)),
                pattern("6 slots: 100 in turn, 5 ms", slots(6), IN_TURN, calls(100, 5)),
                pattern(
                        "6 slots: 12 at once, pause, 12 at once",
                        slots(6),
                        AT_RANDOM,
                        thenPause(12, 0, 500),
                        calls(12, 0)));
    }

    private static List<CallPattern> retries() {
        return List.of(
                pattern("5/10s: 7 in turn, and once when told", window(5, "PT10S"), IN_TURN, calls(7, 50))
                        .andRetry(),
                pattern("10/10s: 12 in turn, and once when told", window(10, "PT10S"), IN_TURN, calls(12, 50))
                        .andRetry(),
                pattern("500/10s: 700 in turn, and once when told", window(500, "PT10S"), IN_TURN, calls(700, 4))
                        .andRetry(),
                pattern(
                                "bucket 10/10s: 14 in turn, and once when told",
                                bucket(10, "PT10S", 10),
                                IN_TURN,
                                calls(14, 50))
                        .andRetry(),
                pattern(
                                "sliding window 10/10s: 14, and once when told",
                                sliding(10, "PT10S", 1),
                                IN_TURN,
                                calls(14, 50))
                        .andRetry(),
                pattern("log 10/10s: 14 in turn, and once when told", log(10, "PT10S"), IN_TURN, calls(14, 50))
                        .andRetry(),
                pattern("5/10s: 9 of cost 1 to 3, and once when told", window(5, "PT10S"), IN_TURN, calls(9, 50))
                        .costing(3)
                        .andRetry());
    }
}
