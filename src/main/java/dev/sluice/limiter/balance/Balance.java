package dev.sluice.limiter.balance;

import dev.sluice.limiter.shared.SharedPool;

/**
 * The permits of one shared pool, as the background keeps books of them: what was put in, what of that was lent rather
 * than granted, and what of the use the store was told. Calls take granted permits first, then lent ones. For one
 * thread; calls go on taking meanwhile.
 */
public final class Balance {

    private final SharedPool pool;
    /** All that was ever put in, less what was taken out again unused. */
    private long poured;

    private long lent;
    private long reported;

    /** The balance of a pool that was born with lent permits. */
    public Balance(SharedPool pool, long lent) {
        this.pool = pool;
        this.poured = lent;
        this.lent = lent;
    }

    /**
     * What the books say at one moment.
     *
     * @param used what calls have used
     * @param held granted permits that are unspent
     * @param lentLeft lent permits that are unspent
     * @param overdrawn what of the use was charged beyond the permits in hand
     */
    public record State(long used, long held, long lentLeft, long overdrawn) {}

    public State state() {
        long overdrawn = pool.overdrawn.get();
        long inHand = pool.permits.number();
        return new State(poured - inHand + overdrawn, Math.max(0, inHand - lent), Math.min(inHand, lent), overdrawn);
    }

    /** What was used and the store was not told. */
    public long unreported(State state) {
        return state.used - reported;
    }

    public long lent() {
        return lent;
    }

    /**
     * Takes up to this many permits out of the pool; all that are left with {@link Long#MAX_VALUE}.
     *
     * @return how many it was
     */
    public long takeOut(long permits) {
        long taken = pool.permits.drain(permits);
        poured -= taken;
        return taken;
    }

    /**
     * The store was told. What was used of lent permits is used of the limit now.
     *
     * @param state what it was told of
     * @param uses how much of the use it was told in that exchange
     * @param usedAtOnce how many waiting calls it counts as if they had passed
     */
    public void told(State state, long uses, long usedAtOnce) {
        reported += uses + usedAtOnce;
        lent = state.lentLeft;
        poured += state.overdrawn;
        pool.overdrawn.addAndGet(-state.overdrawn);
    }

    /** The store has forgotten so much of what it was told; {@link Long#MAX_VALUE} for all. */
    public void forgotten(long uses) {
        reported = uses == Long.MAX_VALUE ? 0 : reported - uses;
    }

    /** The store has granted so many permits, of which calls that waited have taken some already. */
    public void grant(long permits, long taken) {
        poured += permits;
        pool.permits.add(permits - taken);
    }

    /**
     * Lends so many in all, with those that were used and not reported; fewer are taken out as far as they are unspent.
     */
    public void lend(long wanted) {
        if (wanted > lent) {
            grant(wanted - lent, 0);
            lent = wanted;
        } else if (wanted < lent) {
            lent -= takeOut(Math.min(lent - wanted, Math.min(lent, pool.permits.number())));
        }
    }
}
