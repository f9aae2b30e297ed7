package dev.sluice.limiter.account;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Use;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.UseTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of one pool the store is told of: with the times where the limit comes back with time, and once more
 * where the store has lost them. For one thread.
 */
final class UseReport {

    /** More times than this are not remembered: neighbours are taken together, as if made at the later time. */
    private static final int MOST_TIMES = 128;

    private final @Nullable UseTimes times;
    /** How long calls matter; 0 where the store wants no times. */
    private final long remembersMillis;

    /** How many calls the store was told of before it was known when they were made. */
    private long timesToSkip;
    /** What the store was told and still matters, where it wants to know times. */
    private final Deque<Timed> told = new ArrayDeque<>();
    /** What has to be told once more. */
    private final List<Timed> again = new ArrayList<>();
    /** What has not been told yet, because an exchange has failed. */
    private final List<Timed> untold = new ArrayList<>();

    private List<Timed> againUnderWay = List.of();
    private List<Timed> timesUnderWay = List.of();
    private long untimedUnderWay;
    private long underWayMillis;

    UseReport(SharedPool pool) {
        this.times = pool.times();
        this.remembersMillis = pool.limit.remembersMillis();
    }

    /** Calls, and when they were admitted by the store's clock. */
    private record Timed(long atMillis, long calls) {}

    /** Whether something has to be told once more. */
    boolean isAnyAgain() {
        return !again.isEmpty();
    }

    /** What to tell, where so much was used that the store was not told of. */
    List<Use> next(long unreported, long nowMillis) {
        againUnderWay = List.copyOf(again);
        again.clear();
        List<Timed> timed = new ArrayList<>(untold);
        untold.clear();
        if (times != null) {
            for (Use use : times.drain(nowMillis)) {
                Use rest = skipTold(use);
                if (rest.count() != 0) {
                    timed.add(new Timed(nowMillis - rest.agoMillis(), rest.count()));
                }
            }
        }
        timesUnderWay = timed;
        untimedUnderWay = unreported - timed.stream().mapToLong(Timed::calls).sum();
        timesToSkip += times == null ? 0 : untimedUnderWay;
        underWayMillis = nowMillis;
        return usesUnderWay().stream()
                .map(calls -> new Use(Math.max(0, nowMillis - calls.atMillis), calls.calls))
                .toList();
    }

    private List<Timed> usesUnderWay() {
        List<Timed> all = new ArrayList<>(againUnderWay);
        all.addAll(timesUnderWay);
        if (untimedUnderWay != 0) {
            all.add(new Timed(underWayMillis, untimedUnderWay));
        }
        return all;
    }

    /** What of the calls of one time the store was not told before it was known when they were made. */
    private Use skipTold(Use use) {
        long skipped = timesToSkip > 0
                ? Math.min(timesToSkip, Math.max(0, use.count()))
                : Math.max(timesToSkip, Math.min(0, use.count()));
        timesToSkip -= skipped;
        return new Use(use.agoMillis(), use.count() - skipped);
    }

    /** The store was told, and counts so many waiting calls as made now. */
    void applied(long usedAtOnce, long nowMillis) {
        if (remembersMillis == 0) {
            return;
        }
        timesToSkip += usedAtOnce;
        told.addAll(usesUnderWay());
        if (usedAtOnce != 0) {
            told.add(new Timed(nowMillis, usedAtOnce));
        }
        while (!told.isEmpty() && told.getFirst().atMillis < nowMillis - remembersMillis) {
            told.removeFirst();
        }
        if (told.size() > MOST_TIMES) {
            takeNeighboursTogether(told);
        }
    }

    private static void takeNeighboursTogether(Deque<Timed> times) {
        boolean odd = times.size() % 2 != 0;
        for (int pairs = times.size() / 2; pairs > 0; pairs--) {
            Timed earlier = times.removeFirst();
            Timed later = times.removeFirst();
            times.addLast(new Timed(Math.max(earlier.atMillis, later.atMillis), earlier.calls + later.calls));
        }
        if (odd) {
            times.addLast(times.removeFirst());
        }
    }

    /** The store was not told, and never will be by that claim. */
    void failed() {
        again.addAll(againUnderWay);
        untold.addAll(timesUnderWay);
        timesToSkip -= times == null ? 0 : untimedUnderWay;
        againUnderWay = List.of();
        timesUnderWay = List.of();
        untimedUnderWay = 0;
    }

    /**
     * The store has lost what it was told; with the times where it wants them it is told again from here.
     *
     * @param claim what it has lost; {@code null} for all
     * @return how many calls are to be reported as if they never had been: {@link Long#MAX_VALUE} for all
     */
    long lost(@Nullable Claim claim, long sentMillis) {
        if (remembersMillis == 0) {
            return claim == null ? Long.MAX_VALUE : claim.used();
        }
        if (claim == null) {
            again.addAll(told);
            told.clear();
        } else {
            for (Use use : claim.uses()) {
                Timed calls = new Timed(sentMillis - use.agoMillis(), use.count());
                told.remove(calls);
                again.add(calls);
            }
        }
        return 0;
    }
}
