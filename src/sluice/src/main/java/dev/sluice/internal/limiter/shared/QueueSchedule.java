package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.counter.Turn;
import dev.sluice.internal.limiter.rule.SharedBucket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The times at which the calls in a shared queue may proceed. The turn of each granted permit is added before the
 * permit itself. Thread-safe.
 */
public final class QueueSchedule {

    /** The turns, earliest first. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    /**
     * Adds turns for the given number of permits. The last permit's turn is the time at which the bucket would be full
     * if that permit had not been granted. All permits whose turns fall into the same millisecond share one turn,
     * because a single call can cost millions of permits.
     */
    public synchronized void add(long permits, SharedBucket.Usage bucket, long nowMillis) {
        long left = permits;
        while (left > 0) {
            long millis = bucket.millisUntilTurn(left, nowMillis);
            long later = laterThan(millis, left, bucket, nowMillis);
            turns.addLast(new Turn(nowMillis + millis, left - later));
            left = later;
        }
    }

    /** Returns how many of the last permits have a turn later than {@code millis} from now. */
    private static long laterThan(long millis, long permits, SharedBucket.Usage bucket, long nowMillis) {
        long later = 0;
        long notLater = permits;
        while (notLater - later > 1) {
            long middle = (later + notLater) >>> 1;
            if (bucket.millisUntilTurn(middle, nowMillis) > millis) {
                later = middle;
            } else {
                notLater = middle;
            }
        }
        return later;
    }

    /**
     * Takes the turns of a call's permits. The call proceeds at the first turn. A call that takes no permits also waits
     * for the next turn, but leaves that turn to other calls.
     */
    synchronized List<Turn> take(long cost) {
        Turn first = turns.peekFirst();
        if (cost == 0) {
            return first == null ? List.of() : List.of(new Turn(first.atMillis(), 0));
        }
        List<Turn> taken = new ArrayList<>(1);
        long lacking = cost;
        for (Turn next = turns.pollFirst(); next != null; next = lacking > 0 ? turns.pollFirst() : null) {
            long permits = Math.min(lacking, next.permits());
            taken.add(new Turn(next.atMillis(), permits));
            keepRemaining(next, permits, true);
            lacking -= permits;
        }
        return taken;
    }

    /** Removes the last turns, because their permits were taken out of the pool. */
    public synchronized void dropLast(long permits) {
        long left = permits;
        for (Turn last = turns.pollLast(); last != null; last = left > 0 ? turns.pollLast() : null) {
            long dropped = Math.min(left, last.permits());
            keepRemaining(last, dropped, false);
            left -= dropped;
        }
    }

    private void keepRemaining(Turn turn, long gone, boolean isFirst) {
        if (turn.permits() > gone) {
            Turn remaining = new Turn(turn.atMillis(), turn.permits() - gone);
            if (isFirst) {
                turns.addFirst(remaining);
            } else {
                turns.addLast(remaining);
            }
        }
    }

    synchronized void putBack(List<Turn> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            turns.addFirst(taken.get(i));
        }
    }
}
