package dev.sluice.internal.traffic.sketch;

import dev.sluice.Decision;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import dev.sluice.tier.Tier;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the listed callers, one slot each, as far as some of the threads have counted them. Any threads may
 * count, without a lock or an allocation; one at a time may begin and end slots.
 *
 * <p>All words of a slot that a call changes are adjacent in memory, since with many callers hardly anything else is in
 * the processor's caches. They are only numbers: storing a new object in an old one would burden the garbage collector.
 *
 * <p>A slot may change its caller while a thread counts in it. So each count carries in its lowest bits the number of
 * callers that the slot has had. {@link #end} first removes the fingerprint, and then increments that number and takes
 * the count, in one step. A thread that found its caller after it read that number counts only if it is unchanged, in
 * one step too: so nothing is ever counted for another caller.
 */
final class TallyStripe {

    /** The indexes of a slot's words. The first is the fingerprint, 0 while the slot is free. */
    private static final int COUNTS = 1;

    private static final int REMAINING = 4;
    private static final int RESET_AT = 5;
    private static final int LATEST = 6;
    /** The last reported tier, as a number: comparing tiers would need other memory. */
    private static final int TIER = 7;

    private static final int SLOT = 8;

    static final long SECOND_MILLIS = 1_000;

    private static final Kind[] KINDS = Kind.values();

    private static final int OWNER_BITS = 16;
    private static final long OWNER = (1L << OWNER_BITS) - 1;
    private static final long ONE_CALL = 1L << OWNER_BITS;

    private final AtomicLongArray words;
    private final AtomicReferenceArray<@Nullable Tier> tiers;
    /** The tier that was reported in each of the last seconds, in a ring for each slot; for reports. */
    private final AtomicReferenceArray<@Nullable Tier> reportedTiers;

    private final int seconds;

    /**
     * Creates empty slots.
     *
     * @param seconds for how many seconds to keep the reported tier
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

    /** Counts a call if the caller has this slot; returns whether it has. */
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

    /** Updates the state for reports, which may be that of a slightly earlier thread. */
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
    @SuppressWarnings("ReferenceEquality") // the number is that of the reference
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

    /** The tier that was reported last, {@code null} before there is one. */
    @Nullable Tier tier(int slot) {
        return tiers.get(slot);
    }

    long remaining(int slot) {
        return words.get(slot * SLOT + REMAINING);
    }

    long resetAtMillis(int slot) {
        return words.get(slot * SLOT + RESET_AT);
    }

    /** The time of the last call, 0 before there is one. */
    long latestMillis(int slot) {
        return words.get(slot * SLOT + LATEST);
    }

    /** The tier that was reported in this second, one of the last ones; {@code null} if there was no call. */
    @Nullable Tier tierIn(int slot, long second) {
        return reportedTiers.get(slot * seconds + Math.floorMod(second, seconds));
    }

    /** Frees the slot, and adds its exact counts to the endpoint's sums; returns how many calls these are. */
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
