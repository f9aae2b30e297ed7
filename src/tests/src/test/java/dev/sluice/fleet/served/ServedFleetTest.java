package dev.sluice.fleet.served;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.MachineWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three {@code serve} processes and a real Redis give callers the whole limit and no more, however their calls are
 * spread over the instances. All patterns of calls are played first, many at the same time; then each test looks at one
 * property. If something went wrong during a pause of the machine, it is played again with new callers.
 */
@Tag("store")
@Tag("server")
class ServedFleetTest {

    /**
     * The number of callers of busy patterns that call at the same time. With more, the machine itself would cause late
     * answers.
     */
    private static final int CALLING_AT_ONCE = 5;

    private static final long LONGEST_PLAY_SECONDS = 180;

    private static final Map<CallPattern, Queue<Played>> PLAYED = new ConcurrentHashMap<>();
    private static final ExecutorService CALLING = Executors.newFixedThreadPool(CALLING_AT_ONCE);
    private static final ExecutorService WAITING = Executors.newCachedThreadPool();

    private static ServedFleet fleet;
    private static MachineWatch watch;

    /**
     * The result of one caller's calls.
     *
     * @param settled whether Redis knew all admitted calls a lease after the last answer
     * @param standstill the processes that were paused meanwhile, and for how long; empty if there was none
     */
    private record Played(
            CallPattern pattern,
            ServedCaller caller,
            List<CallLedger> ledgers,
            boolean settled,
            Optional<String> standstill) {

        static Played of(CallPattern pattern, ServedCaller caller, List<CallLedger> ledgers) {
            long began = ledgers.stream()
                    .flatMap(ledger -> ledger.answers().stream())
                    .mapToLong(Answer::sentNanos)
                    .min()
                    .orElseThrow();
            boolean settled = isSettled(pattern, caller, ledgers);
            return new Played(
                    pattern,
                    caller,
                    ledgers,
                    settled,
                    watch.standstill(MachineWatch.HARMLESS, began, System.nanoTime()));
        }

        /** Whether nothing is wrong. */
        boolean isGood() {
            return settled
                    && inexact().isEmpty()
                    && ledgers.stream()
                            .allMatch(one -> one.refusedEarly() == 0 && one.over() == 0 && one.missing() == 0);
        }

        /**
         * The calls after a second of quiet that were not admitted, or whose answers did not tell exactly the remaining
         * calls.
         */
        List<Answer> inexact() {
            if (!pattern.equals(CallPattern.QUIET)) {
                return List.of();
            }
            CallLedger.OfWindow ledger = (CallLedger.OfWindow) ledgers.get(0);
            int calls = ledger.answers().size();
            return ledger.answers().subList(calls - ServedFleet.INSTANCES, calls).stream()
                    .filter(answer -> !answer.admitted() || ledger.remainingOff(answer) != 0)
                    .toList();
        }

        boolean isSettledNow() {
            return isSettled(pattern, caller, ledgers);
        }

        private static boolean isSettled(CallPattern pattern, ServedCaller caller, List<CallLedger> ledgers) {
            return caller.awaitSettled(
                    pattern.counters(), ledgers.get(ledgers.size() - 1).answers());
        }
    }

    @BeforeAll
    static void play(@TempDir Path directory) throws Exception {
        fleet = new ServedFleet(CallPattern.LIMITS, directory);
        warmUp();
        watch = fleet.watch();
        List<CompletableFuture<Void>> plays = new ArrayList<>();
        for (CallPattern pattern : CallPattern.PATIENT) {
            for (int i = 0; i < pattern.callers(); i++) {
                plays.add(play(pattern, caller(pattern, i), delayed(Duration.ofMillis(300L * i), WAITING)));
            }
        }
        Stream.of(CallPattern.PACED, CallPattern.AT_ONCE).forEach(patterns -> plays.addAll(play(patterns)));
        await(plays);
        for (int game = 1; game < MachineWatch.MOST_GAMES; game++) {
            await(playAgain());
        }
    }

    private static void await(List<CompletableFuture<Void>> plays) throws Exception {
        CompletableFuture.allOf(plays.toArray(CompletableFuture[]::new)).get(LONGEST_PLAY_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Repeats with new callers the calls that went wrong during a pause of the machine, because such a failure proves
     * nothing.
     */
    private static List<CompletableFuture<Void>> playAgain() {
        List<CompletableFuture<Void>> plays = new ArrayList<>();
        PLAYED.forEach((pattern, all) -> List.copyOf(all).stream()
                .filter(played -> !played.isGood() && played.standstill().isPresent())
                .forEach(played -> {
                    System.out.printf(
                            "%s: what went wrong for %s proves nothing, since %s; it is played again%n",
                            pattern, played.caller(), played.standstill().get());
                    all.remove(played);
                    plays.add(play(pattern, played.caller().again(), CALLING));
                }));
        return plays;
    }

    private static ServedCaller caller(CallPattern pattern, int number) {
        return new ServedCaller(fleet, pattern.target(), number);
    }

    /** Lets all processes load and compile the code of a call. */
    private static void warmUp() {
        for (int i = 0; i < 8; i++) {
            new ServedCaller(fleet, "/warm-up", i).atRandom(120, Duration.ofMillis(3));
        }
    }

    private static Executor delayed(Duration delay, Executor executor) {
        return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, executor);
    }

    /** The first callers of all these patterns, then the second ones, and so on. */
    private static List<CompletableFuture<Void>> play(List<CallPattern> patterns) {
        return IntStream.range(0, CallPattern.MANY)
                .boxed()
                .flatMap(i -> patterns.stream().map(pattern -> play(pattern, caller(pattern, i), CALLING)))
                .toList();
    }

    /** Checks on another thread whether the counters settle, so that the next caller can call meanwhile. */
    private static CompletableFuture<Void> play(CallPattern pattern, ServedCaller caller, Executor calling) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            ServedFleet.awaitTimeLeft(Duration.ofHours(1), Duration.ofSeconds(20));
                            return pattern.play().apply(caller);
                        },
                        calling)
                .thenAcceptAsync(
                        ledgers -> PLAYED.computeIfAbsent(pattern, any -> new ConcurrentLinkedQueue<>())
                                .add(Played.of(pattern, caller, ledgers)),
                        WAITING);
    }

    @AfterAll
    @Timeout(60)
    static void reportAndStop() {
        CALLING.shutdownNow();
        WAITING.shutdownNow();
        if (fleet != null) {
            fleet.warnings().forEach(System.out::println);
            fleet.close();
        }
        System.out.println(report());
    }

    static Stream<CallPattern> patterns() {
        return Stream.of(CallPattern.PACED, CallPattern.AT_ONCE, CallPattern.PATIENT)
                .flatMap(List::stream);
    }

    static Stream<CallPattern> patternsThatRedisCounts() {
        return patterns().filter(pattern -> !pattern.counters().isEmpty());
    }

    static Stream<CallPattern> patternsOfLongWindows() {
        return patternsThatRedisCounts()
                .filter(pattern -> pattern.counters().get(0).endsWith(":1h"));
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void nobodyIsRefusedBeforeTheLimitIsUsedUp(CallPattern pattern) {
        assertThat(sum(pattern, CallLedger::refusedEarly))
                .as("%s: calls refused early", pattern)
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void noLimitIsExceeded(CallPattern pattern) {
        assertThat(sum(pattern, CallLedger::over))
                .as("%s: calls beyond limit and slack", pattern)
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void theWholeLimitIsAdmitted(CallPattern pattern) {
        assertThat(sum(pattern, CallLedger::missing))
                .as("%s: calls that should have passed and did not", pattern)
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("patternsThatRedisCounts")
    void redisKnowsAllAdmittedCallsALeaseAfterTheLastOne(CallPattern pattern) {
        assertThat(played(pattern).stream().filter(played -> !played.settled()).map(Played::caller))
                .as("%s: callers of whom Redis knew something else", pattern)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("patternsOfLongWindows")
    void countsInRedisStayStable(CallPattern pattern) {
        assertThat(played(pattern).stream()
                        .filter(played -> !played.isSettledNow())
                        .map(Played::caller))
                .as("%s: callers of whom Redis knows something else", pattern)
                .isEmpty();
    }

    @Test
    void remainingIsExactAfterASecondWithoutCalls() {
        assertThat(played(CallPattern.QUIET).stream().flatMap(played -> played.inexact().stream()))
                .isEmpty();
    }

    private static List<Played> played(CallPattern pattern) {
        List<Played> played = List.copyOf(PLAYED.getOrDefault(pattern, new ConcurrentLinkedQueue<>()));
        assertThat(played).as("callers of " + pattern).hasSize(pattern.callers());
        return played;
    }

    private static long sum(CallPattern pattern, ToLongFunction<CallLedger> figure) {
        return played(pattern).stream()
                .flatMap(played -> played.ledgers().stream())
                .mapToLong(figure)
                .sum();
    }

    private static String report() {
        String head = "%-52s %7s %6s %6s %14s %8s %5s %14s %10s %14s %7s%n"
                .formatted(
                        "pattern",
                        "callers",
                        "calls",
                        "due",
                        "refused early",
                        "callers",
                        "over",
                        "missing",
                        "unsettled",
                        "remaining off",
                        "p99 ms");
        return patterns()
                .filter(PLAYED::containsKey)
                .map(pattern -> row(pattern, List.copyOf(PLAYED.get(pattern))))
                .collect(Collectors.joining("", head, ""));
    }

    private static String row(CallPattern pattern, List<Played> played) {
        List<CallLedger> ledgers =
                played.stream().flatMap(one -> one.ledgers().stream()).toList();
        long due = total(ledgers, CallLedger::due);
        long missing = total(ledgers, CallLedger::missing);
        long callersRefusedEarly = played.stream()
                .filter(one -> total(one.ledgers(), CallLedger::refusedEarly) > 0)
                .count();
        long[] waits = ledgers.stream()
                .flatMapToLong(ledger -> ledger.answers().stream().mapToLong(ledger::waitNanos))
                .sorted()
                .toArray();
        return "%-52s %7d %6d %6d %14d %8d %5d %7d %5.1f%% %10s %14d %7.1f%n"
                .formatted(
                        pattern,
                        played.size(),
                        waits.length,
                        due,
                        total(ledgers, CallLedger::refusedEarly),
                        callersRefusedEarly,
                        total(ledgers, CallLedger::over),
                        missing,
                        100.0 * missing / due,
                        pattern.counters().isEmpty()
                                ? "-"
                                : played.stream().filter(one -> !one.settled()).count(),
                        ledgers.stream()
                                .mapToLong(CallLedger::remainingOff)
                                .max()
                                .orElse(0),
                        waits[waits.length * 99 / 100] / 1e6);
    }

    private static long total(List<CallLedger> ledgers, ToLongFunction<CallLedger> figure) {
        return ledgers.stream().mapToLong(figure).sum();
    }
}
