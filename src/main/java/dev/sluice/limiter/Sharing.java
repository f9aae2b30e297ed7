package dev.sluice.limiter;

import dev.sluice.Limits;
import dev.sluice.Tier;
import java.time.InstantSource;
import java.util.List;

/** How the counters of this process stand to those of other instances. All but {@link #await} answer at once. */
interface Sharing extends AutoCloseable {

    /** There are no others: time is this machine's, and there is nothing to wait for. */
    static Sharing alone(InstantSource clock) {
        return new Sharing() {
            @Override
            public long nowMillis() {
                return clock.millis();
            }

            @Override
            public boolean isShared() {
                return false;
            }

            @Override
            public boolean isStoreAway() {
                return false;
            }

            @Override
            public long lentAtFirst(Tier tier, long left) {
                return 0;
            }

            @Override
            public void attend(SharedPool pool) {}

            @Override
            public long deadlineNanos() {
                return 0;
            }

            @Override
            public Awaited await(List<Shortage> shortages, long deadlineNanos) {
                return Awaited.NOTHING;
            }

            @Override
            public void follow(Limits limits) {}

            @Override
            public void leave() {}

            @Override
            public void close() {}
        };
    }

    /** The time that windows are cut by. */
    long nowMillis();

    /** Whether there are others to share with. */
    boolean isShared();

    /** Whether the store does not answer, so that {@code onFailure} decides. */
    boolean isStoreAway();

    /** The permits that a new counter of this tier is lent before the store has been asked, where so much is left as far as is known. */
    long lentAtFirst(Tier tier, long left);

    /** The background looks at this pool soon: its permits run low, or something came back to it. */
    void attend(SharedPool pool);

    /** Until when a call that begins to wait now does so at most; for {@link #await}. */
    long deadlineNanos();

    /**
     * What a call has waited for.
     *
     * @param reading of the pool, just after the call has taken what it needs
     */
    record Awaited(Kind kind, long reading) {

        /** What it can be. */
        enum Kind {
            /** The call has taken what it needs. */
            ADMITTED,
            /** There may be more: it is worth looking again. */
            NEWS,
            /** One of the limits is used up, or the deadline has passed. */
            NOTHING
        }

        static final Awaited NEWS = new Awaited(Kind.NEWS, 0);
        static final Awaited NOTHING = new Awaited(Kind.NOTHING, 0);

        boolean is(Kind other) {
            return kind == other;
        }
    }

    /** Waits until there may be more of all that a call lacks. */
    Awaited await(List<Shortage> shortages, long deadlineNanos);

    /** A call has left a pool so: the background is told if little is left. */
    default void left(Pool pool, long reading) {
        if (pool instanceof SharedPool shared && shared.isLow(reading)) {
            attend(shared);
        }
    }

    /** Other definitions are in force. */
    void follow(Limits limits);

    /** From now on nothing is shared any more: counters that are opened count as if the store were away, and for good. */
    void leave();

    /** After {@link #leave}, and once: tells and returns what is shared still. */
    @Override
    void close();
}
