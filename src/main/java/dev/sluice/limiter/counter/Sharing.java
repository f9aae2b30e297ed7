package dev.sluice.limiter.counter;

import dev.sluice.limits.Limits;
import java.util.List;

/** How the counters of this process are shared with other instances. All methods but {@link #await} return at once. */
public interface Sharing extends AutoCloseable {

    /** The time that windows are aligned to. */
    long nowMillis();

    /** Whether new counters are shared, if their limit can be. */
    boolean opensSharedCounters();

    /** Creates a counter, with what is already known of others' use. */
    Counter open(CounterFamily family, Object values);

    /**
     * The deadline of a call that starts to wait now, for {@link #await}. If this process gets too little processor
     * time, the wait may last a second longer.
     */
    long deadlineNanos();

    /** Asks the store for all that a call lacks, and waits until more of the first of it may be available. */
    WaitResult await(List<Shortage> shortages, long deadlineNanos);

    /**
     * Called after a call took from a pool: requests a check if little is left.
     *
     * @param state the pool's state, then or later
     */
    void afterTake(Pool pool, long state);

    /**
     * Requests a check of this pool in the background: a call that waited for it was refused, so others can use what it
     * was granted.
     */
    void requestCheck(Pool pool);

    /** Switches to other limits. */
    void follow(Limits limits);

    /** Ends sharing: counters opened from then on count as if the store were away. */
    void leave();

    /** Reports and returns what is still shared. Called once, after {@link #leave}. */
    @Override
    void close();
}
