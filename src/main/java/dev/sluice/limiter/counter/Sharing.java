package dev.sluice.limiter.counter;

import dev.sluice.limits.Limits;
import java.util.List;

/** How the counters of this process stand to those of other instances. All but {@link #await} answer at once. */
public interface Sharing extends AutoCloseable {

    /** The time that windows are cut by. */
    long nowMillis();

    /** Whether counters that are opened now are shared, where their limit can be. */
    boolean opensSharedCounters();

    /** A new counter, in which nothing is counted yet, or what others know of. */
    Counter open(CounterFamily family, Object values);

    /**
     * Until when a call that begins to wait now does so; for {@link #await}. Where this process gets too little
     * processor time to look at those that wait, it may wait a second more.
     */
    long deadlineNanos();

    /** Asks for all that a call lacks, and waits until there may be more of the first of it. */
    WaitResult await(List<Shortage> shortages, long deadlineNanos);

    /**
     * A call has taken from a pool: the background is told if little is left.
     *
     * @param reading of the pool, at the taking or since
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
