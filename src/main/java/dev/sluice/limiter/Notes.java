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

    /** No more of them than there are windows that were heard. */
    private final Queue<Window> known = new ConcurrentLinkedQueue<>();

    private final Queue<Window> newcomers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int maximum;

    private volatile boolean newcomerRunsLow;

    /**
     * Opens an empty book.
     *
     * @param maximum of newcomers that may wait; a window beyond it has what it was born with until a later call notes it
     */
    Notes(int maximum) {
        this.maximum = maximum;
    }

    /** A call has opened a window; whether it was noted. */
    boolean born(Window window) {
        if (waiting.incrementAndGet() > maximum) {
            waiting.decrementAndGet();
            return false;
        }
        window.shared().isNewcomer = true;
        return newcomers.add(window);
    }

    /** A call has found a window's permits low; whether this is news. */
    boolean due(Window window) {
        Window.Shared shared = window.shared;
        if (shared == null || shared.due) {
            return false;
        }
        shared.due = true;
        if (shared.heard) {
            noteKnown(window, shared);
        } else if (shared.isNewcomer || born(window)) {
            newcomerRunsLow = true;
        } else {
            shared.due = false;
            return false;
        }
        return true;
    }

    private void noteKnown(Window window, Window.Shared shared) {
        if (!shared.isNoted) {
            shared.isNoted = true;
            known.add(window);
        }
    }

    /** The background has read a note that it cannot heed yet. */
    void again(Window window) {
        noteKnown(window, window.shared());
    }

    boolean any() {
        return waiting.get() > 0 || !known.isEmpty();
    }

    /** Whether some window runs low; others that were born can wait a moment, having permits that were lent. */
    boolean isPressed() {
        return newcomerRunsLow || !known.isEmpty();
    }

    /** The next window of which the store was heard, {@code null} if none is noted. */
    @Nullable Window nextKnown() {
        Window window = known.poll();
        if (window != null) {
            window.shared().isNoted = false;
        }
        return window;
    }

    /** The next window that the store is to hear of, {@code null} if none is noted. */
    @Nullable Window nextNewcomer() {
        newcomerRunsLow = false;
        Window window = newcomers.poll();
        if (window != null) {
            waiting.decrementAndGet();
            window.shared().isNewcomer = false;
        }
        return window;
    }
}
