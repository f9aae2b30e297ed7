package dev.sluice.limiter.balance;

import dev.sluice.limiter.shared.SharedPool;

/**
 * The background's accounting of one shared pool: the permits put in, how many of these were never granted, and how
 * much use was reported. Calls take granted permits first. Not safe for several threads; calls take permits meanwhile.
 */
public final class Balance {

    private final SharedPool pool;
    /** All permits that were ever put in, less those taken out unused. */
    private long added;

    private long ungranted;
    private long reported;

    /** Creates the balance of a new pool. */
    public Balance(SharedPool pool, long ungranted) {
        this.pool = pool;
        this.added = ungranted;
        this.ungranted = ungranted;
    }

    /**
     * The figures at one moment.
     *
     * @param used what calls used
     * @param held granted and unspent permits
     * @param ungrantedLeft ungranted and unspent permits
     * @param overdrawn the part of the use that was charged in excess of the permits in hand
     */
    public record State(long used, long held, long ungrantedLeft, long overdrawn) {}

    public State state() {
        long overdrawn = pool.overdrawn.get();
        long inHand = pool.permits.number();
        return new State(
                added - inHand + overdrawn, Math.max(0, inHand - ungranted), Math.min(inHand, ungranted), overdrawn);
    }

    /** What was used and is unreported. */
    public long unreported(State state) {
        return state.used - reported;
    }

    public long ungranted() {
        return ungranted;
    }

    /**
     * Takes up to this many permits out of the pool; all with {@link Long#MAX_VALUE}.
     *
     * @return how many it took
     */
    public long takeOut(long permits) {
        long taken = pool.permits.drain(permits);
        added -= taken;
        return taken;
    }

    /**
     * A report was applied: used ungranted permits now count in the limit.
     *
     * @param state the reported state
     * @param uses how much use this exchange reported
     * @param usedAtOnce how many granted permits count as used at once by waiting calls
     */
    public void reported(State state, long uses, long usedAtOnce) {
        reported += uses + usedAtOnce;
        ungranted = state.ungrantedLeft;
        added += state.overdrawn;
        pool.overdrawn.addAndGet(-state.overdrawn);
    }

    /** The store lost this much of what was reported; {@link Long#MAX_VALUE} for all. */
    public void lost(long uses) {
        reported = uses == Long.MAX_VALUE ? 0 : reported - uses;
    }

    /** The store granted permits, of which waiting calls have already taken some. */
    public void grant(long permits, long taken) {
        added += permits;
        pool.permits.add(permits - taken);
    }

    /**
     * Sets the number of ungranted permits, with those used and unreported; withdraws surplus ones as far as they are
     * unspent.
     */
    public void setUngranted(long wanted) {
        if (wanted > ungranted) {
            grant(wanted - ungranted, 0);
            ungranted = wanted;
        } else if (wanted < ungranted) {
            ungranted -= takeOut(Math.min(ungranted - wanted, Math.min(ungranted, pool.permits.number())));
        }
    }
}
