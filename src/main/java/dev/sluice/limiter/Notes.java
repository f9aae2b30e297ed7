package dev.sluice.limiter;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What calls leave for the background: windows to look after. Any thread writes, one reads. Windows of which the store was heard are apart
 * from those that are new to it, so that a flood of made-up callers keeps nobody waiting who was there before.
 */
final class Notes {

    private final Queue<Window> known = new ConcurrentLinkedQueue<>();
    private final Queue<Window> unknown = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int maximum;

    /** Whether a window that is unknown runs low. */
    private volatile boolean newcomerRunsLow;

    /**
     * Opens an empty book.
     *
     * @param maximum of notes that may wait; a window beyond it has what it was born with until a later call notes it
     */
    Notes(int maximum) {
        this.maximum = maximum;
    }

    /** A call has opened a window; whether it was noted. */
    boolean born(Window window) {
        return note(unknown, window);
    }

    /** A call has found a window's permits low; whether this is news. */
    boolean due(Window window) {
        Window.Shared shared = window.shared;
        if (shared == null || shared.due) {
            return false;
        }
        shared.due = true;
        if (!shared.heard) {
            newcomerRunsLow = true;
        }
        if (!shared.noted && !note(shared.heard ? known : unknown, window)) {
            shared.due = false;
            return false;
        }
        return true;
    }

    private boolean note(Queue<Window> queue, Window window) {
        if (waiting.incrementAndGet() > maximum) {
            waiting.decrementAndGet();
            return false;
        }
        window.shared().noted = true;
        return queue.add(window);
    }

    boolean any() {
        return waiting.get() > 0;
    }

    /** Whether some window runs low; others that were born can wait a moment, having permits that were lent. */
    boolean isPressed() {
        return newcomerRunsLow || !known.isEmpty();
    }

    /** The next window of which the store was heard, {@code null} if none is noted. */
    @Nullable Window nextKnown() {
        return next(known);
    }

    /** The next window that the store is to hear of, {@code null} if none is noted. */
    @Nullable Window nextUnknown() {
        newcomerRunsLow = false;
        return next(unknown);
    }

    private @Nullable Window next(Queue<Window> queue) {
        Window window = queue.poll();
        if (window != null) {
            waiting.decrementAndGet();
            window.shared().noted = false;
        }
        return window;
    }
}
