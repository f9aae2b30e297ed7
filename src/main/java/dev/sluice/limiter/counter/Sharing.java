package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import dev.sluice.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the counters of this process stand to those of other instances. All but {@link #await} answer at once. */
public interface Sharing extends AutoCloseable {

    /** The time that windows are cut by. */
    long nowMillis();

    /** Whether there are others to share with. */
    boolean isShared();

    /** A new counter, in which nothing is counted yet, or what others know of. */
    Counter open(CounterFamily family, Object values);

    /** Until when a call that begins to wait now does so at most; for {@link #await}. */
    long deadlineNanos();

    /**
     * What a call has waited for.
     *
     * @param reading of the pool, just after the call has taken what it needs
     */
    record Awaited(Kind kind, long reading) {

        /** What it can be. */
        public enum Kind {
            /** The call has taken what it needs. */
            ADMITTED,
            /** There may be more: it is worth looking again. */
            NEWS,
            /** One of the limits is used up, or the deadline has passed. */
            NOTHING,
            /** So many threads wait for the store that this one may not. */
            TOO_MANY_WAIT
        }

        public static final Awaited NEWS = new Awaited(Kind.NEWS, 0);
        public static final Awaited NOTHING = new Awaited(Kind.NOTHING, 0);
        public static final Awaited TOO_MANY_WAIT = new Awaited(Kind.TOO_MANY_WAIT, 0);

        public boolean is(Kind other) {
            return kind == other;
        }

        /** What becomes of a call that is refused after that; {@code null} if it is worth going on. */
        public @Nullable Outcome refusal() {
            return kind == Kind.NOTHING ? Outcome.REFUSED : kind == Kind.TOO_MANY_WAIT ? Outcome.REFUSED_BUSY : null;
        }
    }

    /** Waits until there may be more of all that a call lacks. */
    Awaited await(List<Shortage> shortages, long deadlineNanos);

    /**
     * A call has taken from a pool: the background is told if little is left.
     *
     * @param reading what the taking answered
     */
    void noteTaken(Pool pool, long reading);

    /**
     * The background looks at this pool soon: a call that has waited for it is refused, and what it was granted is of
     * use to others.
     */
    void attend(Pool pool);

    /** Other definitions are in force. */
    void follow(Limits limits);

    /**
     * From now on nothing is shared any more: counters that are opened count as if the store were away, and for good.
     */
    void leave();

    /** After {@link #leave}, and once: tells and returns what is shared still. */
    @Override
    void close();
}
