package dev.sluice.internal.limiter.sync;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_ROUND_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.ROUND_PAUSE_NANOS;

import dev.sluice.exchange.CounterStore;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures how long the store and other instances have had to answer. Stalled time, during which this process could not
 * have read an answer, is excluded. If the process or its reading thread is stopped, the store and other instances are
 * not to blame for missing answers.
 *
 * <p>Therefore, the background thread runs rounds while an answer is awaited. In each round, it reads all answers that
 * have arrived. It then asks the store's client to run a task after the client has delivered all earlier answers. If a
 * round is slow, its time is treated as stalled. Waits are measured only up to the end of the latest round. This
 * ensures that all answers that have arrived are read before the store or another instance is considered unresponsive.
 *
 * <p>Not thread-safe: only the synchroniser's thread uses it. However, the client's task can run on any thread.
 */
final class Rounds {

    /** How long stalled time is remembered. This is longer than any wait for which stalled time is relevant. */
    private static final long REMEMBERED_NANOS = 10_000_000_000L;

    private final CounterStore store;
    private final Runnable wake;
    private final Deque<Span> stalled = new ArrayDeque<>();
    /** The stalled spans, plus the spans during which the store itself was slow. */
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

    /** Ends the round if the client has run the task. Call this method before reading the answers that have arrived. */
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

    /** Begins the next round if it is time to do so. Call this method after reading all answers that have arrived. */
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
            look(now); // the task might have run immediately
        }
    }

    /** Returns when to call {@link #goOn} next; {@link Long#MAX_VALUE} if the client's task will wake the driver. */
    long nextNanos() {
        return isAwaiting && !isInFlight ? endNanos + ROUND_PAUSE_NANOS : Long.MAX_VALUE;
    }

    /**
     * Records that the store took longer than usual to answer. During that time, news from other instances could not
     * arrive either.
     */
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

    /**
     * Returns a cut-off time. For every wait that began at or before that time, the store has had at least the given
     * time to answer.
     */
    long beforeForStore(long nanos) {
        return before(stalled, nanos);
    }

    /**
     * Returns a cut-off time. For every wait that began at or before that time, other instances have had at least the
     * given time to return permits.
     */
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
