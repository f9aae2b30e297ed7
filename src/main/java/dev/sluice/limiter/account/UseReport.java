package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.UseTimes;
import dev.sluice.limiter.shared.UseTimes.Calls;
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
    private final long useTimesKeptMillis;

    /** How many calls were reported without the times at which they were made. */
    private long timesToSkip;
    /** What the store was told and still matters, where it wants to know times. */
    private final Deque<Calls> told = new ArrayDeque<>();
    /** What has to be told once more. */
    private final List<Calls> again = new ArrayList<>();
    /** What has not been told yet, because an exchange has failed. */
    private final List<Calls> untold = new ArrayList<>();

    private List<Calls> againUnderWay = List.of();
    private List<Calls> timesUnderWay = List.of();
    private long untimedUnderWay;
    private long underWayMillis;
    /** When the store has granted something last that counts as used at once. */
    private long usedAtOnceMillis;

    UseReport(SharedPool pool) {
        this.times = pool.times;
        this.useTimesKeptMillis = pool.limit.useTimesKeptMillis();
    }

    /** Whether something has to be told once more. */
    boolean isAnyAgain() {
        return !again.isEmpty();
    }

    /** What to tell, where so much was used that the store was not told of. */
    List<Use> next(long unreported, long nowMillis) {
        againUnderWay = List.copyOf(again);
        again.clear();
        List<Calls> timed = new ArrayList<>(untold);
        untold.clear();
        if (times != null) {
            for (Calls calls : times.drain()) {
                long rest = calls.number() - skipTold(calls.number());
                if (rest != 0) {
                    timed.add(new Calls(Math.min(calls.atMillis(), nowMillis), rest));
                }
            }
        }
        timesUnderWay = timed;
        untimedUnderWay = unreported - timed.stream().mapToLong(Calls::number).sum();
        timesToSkip += times == null ? 0 : untimedUnderWay;
        underWayMillis = nowMillis;
        return usesUnderWay().stream()
                .map(calls -> new Use(Math.max(0, nowMillis - calls.atMillis()), calls.number()))
                .toList();
    }

    private List<Calls> usesUnderWay() {
        List<Calls> all = new ArrayList<>(againUnderWay);
        all.addAll(timesUnderWay);
        if (untimedUnderWay > 0) {
            all.add(new Calls(underWayMillis, untimedUnderWay));
        } else if (untimedUnderWay < 0) {
            all.add(new Calls(usedAtOnceMillis, untimedUnderWay)); // calls were refused before they were granted that
        }
        return all;
    }

    /** How many of these calls were reported already, without their times. */
    private long skipTold(long calls) {
        long skipped =
                timesToSkip > 0 ? Math.min(timesToSkip, Math.max(0, calls)) : Math.max(timesToSkip, Math.min(0, calls));
        timesToSkip -= skipped;
        return skipped;
    }

    /** The store was told, and counts so many waiting calls as made then. */
    void applied(long usedAtOnce, long appliedMillis, long nowMillis) {
        if (useTimesKeptMillis == 0) {
            return;
        }
        timesToSkip += usedAtOnce;
        told.addAll(usesUnderWay());
        if (usedAtOnce != 0) {
            told.add(new Calls(appliedMillis, usedAtOnce));
            usedAtOnceMillis = appliedMillis;
        }
        while (!told.isEmpty() && told.getFirst().atMillis() < nowMillis - useTimesKeptMillis) {
            told.removeFirst();
        }
        if (told.size() > MOST_TIMES) {
            takeNeighboursTogether(told);
        }
    }

    private static void takeNeighboursTogether(Deque<Calls> times) {
        boolean odd = times.size() % 2 != 0;
        for (int pairs = times.size() / 2; pairs > 0; pairs--) {
            Calls earlier = times.removeFirst();
            Calls later = times.removeFirst();
            times.addLast(new Calls(Math.max(earlier.atMillis(), later.atMillis()), earlier.number() + later.number()));
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
        if (useTimesKeptMillis == 0) {
            return claim == null ? Long.MAX_VALUE : claim.used();
        }
        if (claim == null) {
            again.addAll(told);
            told.clear();
        } else {
            for (Use use : claim.uses()) {
                Calls calls = new Calls(sentMillis - use.agoMillis(), use.count());
                told.remove(calls);
                again.add(calls);
            }
        }
        return 0;
    }
}
