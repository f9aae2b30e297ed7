package dev.sluice.internal.traffic.sketch;

import dev.sluice.Decision;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import dev.sluice.tier.Tier;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the listed callers, one slot each, from some of the threads. Any thread may count, without a lock or an
 * allocation; only one at a time may begin and end slots.
 *
 * <p>All words of a slot that a call changes are adjacent in memory: with many callers, hardly anything else is in the
 * processor's caches. They are plain numbers, because storing a new object in an old one would burden the garbage
 * collector.
 *
 * <p>A slot may get another caller while a thread counts in it. So the lowest bits of each count contain the number of
 * callers that the slot has had. {@link #end} first removes the fingerprint; then, in one atomic step, it increments
 * that number and takes the count. A thread reads the number, then checks the fingerprint, and then counts, also in one
 * atomic step, only if the number is unchanged. So nothing is ever counted for another caller.
 */
final class TallyStripe {

    /** The indices of a slot's words. The first word is the fingerprint, 0 while the slot is free. */
    private static final int COUNTS = 1;

    private static final int REMAINING = 4;
    private static final int RESET_AT = 5;
    private static final int LATEST = 6;
    /** The identity hash of the tier that was reported last: comparing tiers would touch other memory. */
    private static final int TIER = 7;

    private static final int SLOT = 8;

    static final long SECOND_MILLIS = 1_000;

    private static final Kind[] KINDS = Kind.values();

    private static final int OWNER_BITS = 16;
    private static final long OWNER = (1L << OWNER_BITS) - 1;
    private static final long ONE_CALL = 1L << OWNER_BITS;

    private final AtomicLongArray words;
    private final AtomicReferenceArray<@Nullable Tier> tiers;
    /** The tiers that were reported in the latest seconds, a ring for each slot. */
    private final AtomicReferenceArray<@Nullable Tier> reportedTiers;

    private final int seconds;

    /**
     * Creates empty slots.
     *
     * @param seconds for how many seconds to keep the reported tiers
     */
    TallyStripe(int slots, int seconds) {
        this.words = new AtomicLongArray(slots * SLOT);
        this.tiers = new AtomicReferenceArray<>(slots);
        this.reportedTiers = new AtomicReferenceArray<>(slots * seconds);
        this.seconds = seconds;
    }

    /** Gives a free slot to a caller. */
    void begin(int slot, long fingerprint) {
        words.set(slot * SLOT, fingerprint);
    }

    /** Counts a call if the caller has this slot; returns {@code false} if it does not. */
    boolean count(int slot, long fingerprint, Kind kind, Decision decision, long nowMillis) {
        int count = slot * SLOT + COUNTS + kind.at;
        long seen = words.get(count);
        long owner = seen & OWNER;
        if (words.get(slot * SLOT) != fingerprint) {
            return false;
        }
        while (!words.compareAndSet(count, seen, seen + ONE_CALL)) {
            seen = words.get(count);
            if ((seen & OWNER) != owner) {
                return false;
            }
        }
        note(slot, decision, nowMillis);
        return true;
    }

    /** Updates the state for reports. If threads race, the state may be that of a slightly earlier call. */
    private void note(int slot, Decision decision, long nowMillis) {
        int at = slot * SLOT;
        int tier = System.identityHashCode(decision.tier());
        boolean isOtherTier = words.getPlain(at + TIER) != tier;
        if (isOtherTier) {
            note(slot, decision.tier(), tier);
        }
        long second = nowMillis / SECOND_MILLIS;
        if (seconds > 0 && (isOtherTier || words.getPlain(at + LATEST) / SECOND_MILLIS != second)) {
            reportedTiers.setOpaque(slot * seconds + Math.floorMod(second, seconds), decision.tier());
        }
        words.setOpaque(at + REMAINING, decision.remaining());
        words.setOpaque(at + RESET_AT, nowMillis + decision.resetAfterMillis());
        words.setOpaque(at + LATEST, nowMillis);
    }

    /** If another thread sets another tier at the same time, the next call corrects it. */
    @SuppressWarnings("ReferenceEquality") // the number identifies the reference
    private void note(int slot, @Nullable Tier tier, int number) {
        tiers.set(slot, tier);
        words.set(slot * SLOT + TIER, number);
        if (tiers.get(slot) != tier) {
            words.set(slot * SLOT + TIER, 0);
        }
    }

    long fingerprint(int slot) {
        return words.get(slot * SLOT);
    }

    long calls(int slot, Kind kind) {
        return words.get(slot * SLOT + COUNTS + kind.at) >> OWNER_BITS;
    }

    /** The tier that was reported last; {@code null} if none was. */
    @Nullable Tier tier(int slot) {
        return tiers.get(slot);
    }

    long remaining(int slot) {
        return words.get(slot * SLOT + REMAINING);
    }

    long resetAtMillis(int slot) {
        return words.get(slot * SLOT + RESET_AT);
    }

    /** The time of the latest call; 0 if there was none. */
    long latestMillis(int slot) {
        return words.get(slot * SLOT + LATEST);
    }

    /** The tier that was reported in this recent second; {@code null} if there was no call. */
    @Nullable Tier tierIn(int slot, long second) {
        return reportedTiers.get(slot * seconds + Math.floorMod(second, seconds));
    }

    /** Frees the slot, and adds its exact counts to the endpoint's sums; returns how many calls it had counted. */
    long end(int slot, String endpoint, EndpointSums sums) {
        words.set(slot * SLOT, 0);
        long calls = 0;
        for (Kind kind : KINDS) {
            long counted = words.getAndUpdate(slot * SLOT + COUNTS + kind.at, count -> count + 1 & OWNER) >> OWNER_BITS;
            sums.add(endpoint, kind, counted);
            calls += counted;
        }
        tiers.set(slot, null);
        words.set(slot * SLOT + TIER, 0);
        words.set(slot * SLOT + LATEST, 0);
        for (int i = 0; i < seconds; i++) {
            reportedTiers.set(slot * seconds + i, null);
        }
        return calls;
    }
}
