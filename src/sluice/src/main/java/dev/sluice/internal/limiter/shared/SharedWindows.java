package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.OpenWindow;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.counter.WindowedCounter;
import dev.sluice.internal.limiter.rule.Outage;
import org.jspecify.annotations.Nullable;

/** The windows of one shared counter. {@link SharedCounter} opens them. Thread-safe. */
public abstract class SharedWindows extends WindowedCounter<Window> {

    /** The background thread from the point of view of shared counters. All methods return immediately. Thread-safe. */
    public interface Background {

        /**
         * Returns the outage while the store is unavailable and for a short time afterwards; otherwise {@code null}.
         */
        @Nullable Outage outage();

        int instances();

        /**
         * Requests that the given pool be checked soon, because permits were returned to it or its window has ended.
         * This method does not serve calls on the current thread, because that thread might have borrowed permits or
         * might hold locks.
         */
        void checkSoon(Pool pool);
    }

    /** The background thread's data about one pool. */
    public interface Attachment {}

    final Background background;
    public final CounterHistory history;
    /** The background thread's data about the latest window. */
    private @Nullable Attachment latest;

    SharedWindows(CounterFamily family, Object values, Background background) {
        super(family, values);
        this.background = background;
        this.history = CounterHistory.of(family.compiledLimit);
    }

    /** Creates the windows of a counter that continues the given counter. */
    SharedWindows(CounterFamily family, SharedWindows before) {
        super(family, before);
        this.background = before.background;
        this.history = before.history;
    }

    public static SharedWindows of(Counter counter) {
        return (SharedWindows) counter;
    }

    public int instances() {
        return background.instances();
    }

    /**
     * Returns the background thread's data about the latest window that it has seen. Only that thread may call this
     * method.
     */
    public @Nullable Attachment latest() {
        return latest;
    }

    /** Records that the background thread has seen the latest window. Only that thread may call this method. */
    public void see(Attachment data) {
        latest = data;
    }

    /** Closes a window and replaces it with a few stored numbers. Returns whether it was still the current window. */
    public boolean makeDormant(Window pool, Window kept) {
        boolean isDormant = replace(pool, kept);
        if (isDormant && pool instanceof OpenWindow open) {
            open.permits.close();
            latest = null;
        }
        return isDormant;
    }
}
