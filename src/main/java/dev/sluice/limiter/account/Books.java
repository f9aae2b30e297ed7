package dev.sluice.limiter.account;

/**
 * What the store knows of one account, since the last claim that it applied, and what it has not granted.
 *
 * @param ungranted how many of the permits in hand, or of those used and not reported, the store never granted: slack, or
 *     what {@code onFailure} allows while the store is away. Calls use granted permits first
 * @param reported how much use was reported
 * @param held the unspent permits that the store counts as held here
 * @param inUse the places that the store counts as taken here
 */
record Books(long ungranted, long reported, long held, long inUse) {

    /** Granted and unspent permits. */
    long held(Totals totals) {
        return Math.max(0, totals.inHand() - ungranted);
    }

    long ungrantedLeft(Totals totals) {
        return Math.min(totals.inHand(), ungranted);
    }

    /** What was used and is unreported. */
    long unreported(Totals totals) {
        return totals.used() - reported;
    }

    /** What was used here and is not counted by the store, not even as held. */
    long uncounted(Totals totals) {
        return Math.max(0, unreported(totals) - held);
    }

    /** Whether the store counts anything as held or in use here. */
    boolean isAnythingCounted() {
        return held > 0 || inUse > 0;
    }

    Books withUngranted(long permits) {
        return new Books(permits, reported, held, inUse);
    }

    Books withHeld(long permits) {
        return new Books(ungranted, reported, permits, inUse);
    }

    Books withInUse(long places) {
        return new Books(ungranted, reported, held, places);
    }

    Books withReported(long use) {
        return new Books(ungranted, use, held, inUse);
    }
}
