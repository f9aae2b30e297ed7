package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import dev.sluice.limits.Limits;
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

    /**
     * Until when a call that begins to wait now does so; for {@link #await}. Where this process gets too little
     * processor time to look at those that wait, it may wait once more as long.
     */
    long deadlineNanos();

    /** Answers of {@link #await} that are no reading: one of the limits is used up, or the deadline has passed. */
    long NOTHING = -1;

    /** There may be more: it is worth looking again. */
    long NEWS = -2;

    /** So many threads wait for the store that this one may not. */
    long TOO_MANY_WAIT = -3;

    /**
     * Asks for all that a call lacks, and waits until there may be more of the first of it. The call then looks again at
     * all. If it has taken what it needs meanwhile, the answer is a reading of the pool just after that; otherwise {@link #NEWS}, {@link #NOTHING} or {@link #TOO_MANY_WAIT}.
     */
    long await(List<Shortage> shortages, long deadlineNanos);

    /** What becomes of a call that is refused after this answer; {@code null} if it is worth going on. */
    static @Nullable Outcome refusal(long awaited) {
        return awaited == NOTHING ? Outcome.REFUSED : awaited == TOO_MANY_WAIT ? Outcome.REFUSED_BUSY : null;
    }

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
