package dev.sluice.fleet.served;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/**
 * One caller of a fleet, which has never called before. Calls start at fixed moments, whether or not earlier ones were
 * answered.
 */
final class ServedCaller {

    private static final Duration LEASE = Duration.ofSeconds(5);
    /** How late a busy machine may be with the work that is due after an interval. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final ServedFleet fleet;
    private final String name;
    private final String target;
    private final int number;
    private final int game;
    private final Random random;

    /**
     * Makes a caller of a path.
     *
     * @param number the number of this caller among those of the path; it selects the first instance, and is the seed
     *     of random choices
     */
    ServedCaller(ServedFleet fleet, String target, int number) {
        this(fleet, target, number, 1);
    }

    private ServedCaller(ServedFleet fleet, String target, int number, int game) {
        this.fleet = fleet;
        this.target = target;
        this.number = number;
        this.game = game;
        String first = target.replaceAll("\\W+", "-").substring(1) + "-" + number;
        this.name = game == 1 ? first : first + "-game-" + game;
        this.random = new Random(first.hashCode());
    }

    /** Another caller that has never called before, with the same pattern. */
    ServedCaller again() {
        return new ServedCaller(fleet, target, number, game + 1);
    }

    /** Calls the instances in turn. */
    List<Answer> inTurn(int calls, Duration gap) {
        return call(calls, gap, i -> number + i);
    }

    /** Calls an instance chosen at random, each time anew. */
    List<Answer> atRandom(int calls, Duration gap) {
        return call(calls, gap, i -> random.nextInt(ServedFleet.INSTANCES));
    }

    /** Makes all calls at once, each to an instance chosen at random. */
    List<Answer> atOnce(int calls) {
        return atRandom(calls, Duration.ZERO);
    }

    /** Calls only one instance, the caller's first, second or third, numbered from 0. */
    List<Answer> toOne(int instance, int calls, Duration gap) {
        return call(calls, gap, i -> number + instance);
    }

    /**
     * Waits until Redis has recorded all admitted calls in the newest windows of these counters.
     *
     * @return whether they had done so a lease after the last answer
     */
    boolean awaitSettled(List<String> counters, List<Answer> answers) {
        return awaitSettled(counters, answers, LEASE.plus(MARGIN));
    }

    /** The same, however busy the machine is. */
    void awaitSettledAtLast(List<String> counters, List<Answer> answers) {
        if (!awaitSettled(counters, answers, LONGEST_WAIT)) {
            throw new IllegalStateException("Redis does not know what was admitted after " + LONGEST_WAIT);
        }
    }

    private boolean awaitSettled(List<String> counters, List<Answer> answers, Duration within) {
        long admitted = answers.stream().filter(Answer::admitted).count();
        long last = answers.stream().mapToLong(Answer::answeredNanos).max().orElseThrow();
        return counters.isEmpty() || fleet.awaitTotals(name, counters, admitted, last + within.toNanos());
    }

    /** Waits until a moment by {@link System#nanoTime()}, which is part of the pattern. */
    static void pauseUntil(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private List<Answer> call(int calls, Duration gap, IntUnaryOperator instance) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            pauseUntil(start + i * gap.toNanos());
            answers.add(fleet.send(instance.applyAsInt(i) % ServedFleet.INSTANCES, target, name));
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
