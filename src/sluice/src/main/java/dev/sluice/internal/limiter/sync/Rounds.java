package dev.sluice.internal.limiter.sync;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_ROUND_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.ROUND_PAUSE_NANOS;

import dev.sluice.exchange.CounterStore;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures the time during which this process would have read an answer. If this process is stopped, or only the thread
 * that reads answers, the store and other instances are not to blame for missing answers. So while an answer is
 * awaited, the background makes rounds. In each round, it reads all answers that have arrived, and asks the store's
 * client to run a task after them. The time of a slow round is treated as stalled. Waits are measured up to the end of
 * the last round. All answers that have arrived are therefore read before the store or a holder is considered
 * unresponsive.
 *
 * <p>Not thread-safe: only the synchroniser's thread uses it. However, the task may run on any thread.
 */
final class Rounds {

    /** A time longer than any wait that matters. */
    private static final long REMEMBERED_NANOS = 10_000_000_000L;

    private final CounterStore store;
    private final Runnable wake;
    private final Deque<Span> stalled = new ArrayDeque<>();
    /** The stalled spans, plus the time for which the store itself was slow. */
    private final Deque<Span> stalledForOthers = new ArrayDeque<>();

    private boolean isAwaiting;
    private boolean isInFlight;
    private volatile boolean hasClientRun;
    private long endNanos;

    private record Span(long fromNanos, long toNanos) {}

    Rounds(CounterStore store, Runnable wake) {
        this.store = store;
        this.wake = wake;
    }

    /** Ends the round if the client has run the task. Call this before reading the answers that have arrived. */
    void look(long now) {
        if (isInFlight && hasClientRun) {
            isInFlight = false;
            if (now - endNanos > LONGEST_ROUND_NANOS) {
                add(stalled, endNanos, now);
                add(stalledForOthers, endNanos, now);
            }
            endNanos = now;
        }
    }

    /** Begins the next round if it is time to do so. Call this after reading all answers that have arrived. */
    void goOn(boolean isAnythingAwaited, long now) {
        if (isAnythingAwaited && !isAwaiting) {
            endNanos = now;
        }
        isAwaiting = isAnythingAwaited;
        if (isAwaiting && !isInFlight && now - endNanos >= ROUND_PAUSE_NANOS) {
            isInFlight = true;
            hasClientRun = false;
            store.behindAnswers(() -> {
                hasClientRun = true;
                wake.run();
            });
            look(now); // the task may have run at once
        }
    }

    /** Returns when to call {@link #goOn} next; {@link Long#MAX_VALUE} if the client's task will wake the driver. */
    long nextNanos() {
        return isAwaiting && !isInFlight ? endNanos + ROUND_PAUSE_NANOS : Long.MAX_VALUE;
    }

    /** Records that the store took longer than usual. News from other instances could not arrive either. */
    void stalledByStore(long fromNanos, long toNanos) {
        if (toNanos - fromNanos > 0) {
            stalledForOthers.removeIf(span -> span.fromNanos - fromNanos >= 0);
            add(stalledForOthers, fromNanos, toNanos);
        }
    }

    private static void add(Deque<Span> spans, long fromNanos, long toNanos) {
        spans.addFirst(new Span(fromNanos, toNanos));
        while (toNanos - spans.getLast().toNanos > REMEMBERED_NANOS) {
            spans.removeLast();
        }
    }

    /** Returns the start of a period in which the store has had this long to answer. */
    long beforeForStore(long nanos) {
        return before(stalled, nanos);
    }

    /** Returns the start of a period in which other instances have had this long to return their permits. */
    long beforeForOthers(long nanos) {
        return before(stalledForOthers, nanos);
    }

    private long before(Deque<Span> latestFirst, long nanos) {
        long left = nanos;
        long until = endNanos;
        for (Span span : latestFirst) {
            long since = until - span.toNanos;
            if (since >= left) {
                break;
            }
            left -= Math.max(0, since);
            until = until - span.fromNanos > 0 ? span.fromNanos : until;
        }
        return until - left;
    }
}
