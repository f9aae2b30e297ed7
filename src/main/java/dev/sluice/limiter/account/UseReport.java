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
 * The calls of one pool to report to the store: with their times if the rule needs them, and again those that
 * the store has lost. Not safe for several threads.
 */
final class UseReport {

    /** The most times; then neighbours are merged at the later time. */
    private static final int MOST_TIMES = 128;

    private final @Nullable UseTimes times;
    /** How long calls matter; 0 if the rule needs no times. */
    private final long useTimesKeptMillis;

    /** How many calls were reported without their times. */
    private long timesToSkip;
    /** What was reported and still matters, if the rule needs times. */
    private final Deque<Calls> reported = new ArrayDeque<>();
    /** What has to be reported again. */
    private final List<Calls> toRepeat = new ArrayList<>();
    /** What is unreported because an exchange failed. */
    private final List<Calls> unreportedTimes = new ArrayList<>();

    private List<Calls> againUnderWay = List.of();
    private List<Calls> timesUnderWay = List.of();
    private long untimedUnderWay;
    private long underWayMillis;
    /** When the last grant was applied that counts as used at once. */
    private long usedAtOnceMillis;

    UseReport(SharedPool pool) {
        this.times = pool.times;
        this.useTimesKeptMillis = pool.limit.useTimesKeptMillis();
    }

    /** Whether something has to be reported again. */
    boolean hasToRepeat() {
        return !toRepeat.isEmpty();
    }

    /** The uses to report, given the number of unreported calls. */
    List<Use> next(long unreported, long nowMillis) {
        againUnderWay = List.copyOf(toRepeat);
        toRepeat.clear();
        List<Calls> timed = new ArrayList<>(unreportedTimes);
        unreportedTimes.clear();
        if (times != null) {
            for (Calls calls : times.drain()) {
                long rest = calls.number() - skipReported(calls.number());
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
            all.add(new Calls(usedAtOnceMillis, untimedUnderWay)); // calls were refused before their grant arrived
        }
        return all;
    }

    /** How many of these calls were already reported without their times. */
    private long skipReported(long calls) {
        long skipped =
                timesToSkip > 0 ? Math.min(timesToSkip, Math.max(0, calls)) : Math.max(timesToSkip, Math.min(0, calls));
        timesToSkip -= skipped;
        return skipped;
    }

    /** The report was applied; the store counts this many waiting calls as made then. */
    void applied(long usedAtOnce, long appliedMillis, long nowMillis) {
        if (useTimesKeptMillis == 0) {
            return;
        }
        timesToSkip += usedAtOnce;
        reported.addAll(usesUnderWay());
        if (usedAtOnce != 0) {
            reported.add(new Calls(appliedMillis, usedAtOnce));
            usedAtOnceMillis = appliedMillis;
        }
        while (!reported.isEmpty() && reported.getFirst().atMillis() < nowMillis - useTimesKeptMillis) {
            reported.removeFirst();
        }
        if (reported.size() > MOST_TIMES) {
            mergeNeighbours(reported);
        }
    }

    private static void mergeNeighbours(Deque<Calls> times) {
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

    /** The report was not applied, and never will be by this claim. */
    void failed() {
        toRepeat.addAll(againUnderWay);
        unreportedTimes.addAll(timesUnderWay);
        timesToSkip -= times == null ? 0 : untimedUnderWay;
        againUnderWay = List.of();
        timesUnderWay = List.of();
        untimedUnderWay = 0;
    }

    /**
     * The store lost what was reported; if the rule needs times it is reported again from here.
     *
     * @param claim the lost claim; {@code null} for all
     * @return how many calls have to be reported again by number alone; {@link Long#MAX_VALUE} for all
     */
    long lost(@Nullable Claim claim, long sentMillis) {
        if (useTimesKeptMillis == 0) {
            return claim == null ? Long.MAX_VALUE : claim.used();
        }
        if (claim == null) {
            toRepeat.addAll(reported);
            reported.clear();
        } else {
            for (Use use : claim.uses()) {
                Calls calls = new Calls(sentMillis - use.agoMillis(), use.count());
                reported.remove(calls);
                toRepeat.add(calls);
            }
        }
        return 0;
    }
}
