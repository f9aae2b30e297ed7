package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.counter.WindowedCounter;
import dev.sluice.internal.limiter.rule.Absence;
import org.jspecify.annotations.Nullable;

/** What the windows of one shared counter have in common. {@link SharedCounter} opens them. */
public abstract class SharedWindows extends WindowedCounter<Window> {

    /** What shared counters ask of the background that synchronises them with other instances. All methods return at once. */
    public interface Background {

        /** That the store is away, or was until a moment ago, and what decides meanwhile; {@code null} otherwise. */
        @Nullable Absence absence();

        /** How many instances live, as far as known. */
        int instances();

        /** Requests a check of this pool soon: its permits run low, or something was returned to it. */
        void requestCheck(Pool pool);
    }

    /** The background's data for one pool. */
    public interface Attachment {}

    final Background background;
    /** The totals of frames, if windows slide. */
    public final CounterHistory history;
    /** The background's data of the latest window; for the background only. */
    public @Nullable Attachment latest;

    SharedWindows(CounterFamily family, Object values, Background background) {
        super(family, values);
        this.background = background;
        this.history = CounterHistory.of(family.compiledLimit);
    }

    /** Those of a counter that continues another one. */
    SharedWindows(CounterFamily family, SharedWindows before) {
        super(family, before);
        this.background = before.background;
        this.history = before.history;
    }

    /** Those of the counter of a window. */
    static SharedWindows of(Counter counter) {
        return (SharedWindows) counter;
    }

    /** How many instances live, as far as known. */
    public int instances() {
        return background.instances();
    }

    /** Closes a window and keeps only this of it; returns whether it did, since the window was the current one. */
    public boolean rest(Window pool, Window kept) {
        boolean rests = replace(pool, kept);
        if (rests && !pool.isAtRest()) {
            pool.permits.close();
            latest = null;
        }
        return rests;
    }
}
