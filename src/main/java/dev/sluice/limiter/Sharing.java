package dev.sluice.limiter;

import dev.sluice.Limits;
import dev.sluice.Tier;
import java.time.InstantSource;

/** How the counters of this process stand to those of other instances. All but {@link #await} answer at once. */
interface Sharing extends AutoCloseable {

    /** There are no others: time is this machine's, every window is born with all its permits, and there is nothing to wait for. */
    static Sharing alone(InstantSource clock) {
        return new Sharing() {
            @Override
            public long nowMillis() {
                return clock.millis();
            }

            @Override
            public long opening(Tier tier) {
                return tier.most();
            }

            @Override
            public boolean isShared() {
                return false;
            }

            @Override
            public void born(Window window) {}

            @Override
            public void due(Window window) {}

            @Override
            public Hope await(Window window, long cost) {
                return Hope.NONE;
            }

            @Override
            public void follow(Limits limits) {}

            @Override
            public void close() {}
        };
    }

    /** What a call that found too few permits may do. */
    enum Hope {
        /** Be refused. */
        NONE,
        /** Try once more: something was heard. */
        AGAIN,
        /** Pass without a permit: nothing was heard in time, and this is what was decided for the case. */
        UNHEARD
    }

    /** The time that windows are cut by. */
    long nowMillis();

    /** The permits that a window is born with, before anybody was asked. */
    long opening(Tier tier);

    /** Whether there are others to share with. */
    boolean isShared();

    /** A window was opened by a call. */
    void born(Window window);

    /** The permits of a window run low, or a call was refused for want of them. */
    void due(Window window);

    /** Waits, as long as the definitions allow, for news of a window in which a call has found too few permits. */
    Hope await(Window window, long cost);

    /** A call has left a pool so: whoever shares it looks after it if little is left. */
    default void left(Pool pool, long reading) {
        if (pool instanceof Window window && window.isLow(reading)) {
            due(window);
        }
    }

    /** What a call may do that has found too little in a pool. */
    default Hope hopeOf(Pool pool, long cost) {
        return pool instanceof Window window ? await(window, cost) : Hope.NONE;
    }

    /** Other definitions are in force. */
    void follow(Limits limits);

    @Override
    void close();
}
