package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Use;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of one pool the store is told of: with the times where the limit comes back with time, and once more where the store has lost
 * them. For one thread.
 */
final class UseReport {

    private final @Nullable UseTimes times;
    /** How long calls matter; 0 where the store wants no times. */
    private final long remembersMillis;

    /** How many calls the store was told of before it was known when they were made. */
    private long timesToSkip;
    /** What the store was told and still matters, where it wants to know times. */
    private final Deque<Timed> told = new ArrayDeque<>();
    /** What has to be told once more. */
    private final List<Timed> again = new ArrayList<>();

    private List<Use> underWay = List.of();
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
        List<Use> uses = new ArrayList<>();
        again.forEach(calls -> uses.add(new Use(Math.max(0, nowMillis - calls.atMillis), calls.calls)));
        again.clear();
        long untimed = unreported;
        if (times != null) {
            for (Use use : times.drain(nowMillis)) {
                Use rest = skipTold(use);
                if (rest.count() != 0) {
                    uses.add(rest);
                    untimed -= rest.count();
                }
            }
            timesToSkip += untimed;
        }
        if (untimed != 0) {
            uses.add(new Use(0, untimed));
        }
        underWay = uses;
        underWayMillis = nowMillis;
        return uses;
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
        underWay.forEach(use -> told.add(new Timed(underWayMillis - use.agoMillis(), use.count())));
        told.add(new Timed(nowMillis, usedAtOnce));
        while (!told.isEmpty() && told.getFirst().atMillis < nowMillis - remembersMillis) {
            told.removeFirst();
        }
    }

    /** The store was not told, and never will be by that claim. */
    void failed() {
        if (remembersMillis > 0) {
            underWay.forEach(use -> again.add(new Timed(underWayMillis - use.agoMillis(), use.count())));
        }
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
        } else {
            claim.uses().forEach(use -> again.add(new Timed(sentMillis - use.agoMillis(), use.count())));
        }
        return 0;
    }
}
