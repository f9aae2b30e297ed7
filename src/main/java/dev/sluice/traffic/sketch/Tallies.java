package dev.sluice.traffic.sketch;

import dev.sluice.Decision;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.sketch.Tally.Kind;
import dev.sluice.traffic.sketch.Tally.Second;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the listed callers, one slot each. Any threads may count, without a lock or an allocation; one at a
 * time may begin and end slots.
 *
 * <p>All words of a slot that a call changes are adjacent in memory, since with many callers hardly anything else is in
 * the processor's caches. They are only numbers: storing a new object in an old one would burden the garbage collector.
 *
 * <p>A slot may change its caller while a thread counts in it. So each count carries in its lowest bits the number of
 * callers that the slot has had. {@link #end} first removes the fingerprint, and then increments that number and takes
 * the count, in one step. A thread that found its caller after it read that number counts only if it is unchanged, in
 * one step too: so nothing is ever counted for another caller.
 */
final class Tallies {

    /** The indexes of a slot's words. The first is the fingerprint, 0 while the slot is free. */
    private static final int COUNTS = 1;

    private static final int REMAINING = 4;
    private static final int RESET_AT = 5;
    private static final int LATEST = 6;
    /** The last reported tier, as a number: comparing tiers would need other memory. */
    private static final int TIER = 7;

    private static final int SLOT = 8;

    private static final int OWNER_BITS = 16;
    private static final long OWNER = (1L << OWNER_BITS) - 1;
    private static final long ONE_CALL = 1L << OWNER_BITS;

    private static final long SECOND_MILLIS = 1_000;

    private static final Kind[] KINDS = Kind.values();

    private final AtomicLongArray words;
    /** How many calls of each caller may not have been counted here. */
    private final AtomicLongArray missed;

    private final String[] endpoints;
    private final List<List<Subject>> subjects;
    private final AtomicReferenceArray<@Nullable Tier> tiers;
    /** The tier that was reported in each of the last seconds, in a ring for each slot; for reports. */
    private final AtomicReferenceArray<@Nullable Tier> reportedTiers;

    private final int seconds;

    /**
     * Creates empty slots.
     *
     * @param seconds for how many seconds to keep the reported tier
     */
    Tallies(int slots, int seconds) {
        this.words = new AtomicLongArray(slots * SLOT);
        this.missed = new AtomicLongArray(slots);
        this.endpoints = new String[slots];
        this.subjects = new ArrayList<>(Collections.nCopies(slots, List.of()));
        this.tiers = new AtomicReferenceArray<>(slots);
        this.reportedTiers = new AtomicReferenceArray<>(slots * seconds);
        this.seconds = seconds;
    }

    /** Gives a free slot to a caller. */
    void begin(int slot, long fingerprint, String endpoint, List<Subject> who, long missedBefore) {
        endpoints[slot] = endpoint;
        subjects.set(slot, who);
        missed.set(slot, missedBefore);
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

    /** The counted calls and those that may have been missed. */
    long estimate(int slot) {
        return calls(slot) + missed.get(slot);
    }

    private long calls(int slot) {
        return calls(slot, Kind.ALLOWED) + calls(slot, Kind.REFUSED) + calls(slot, Kind.WOULD_REFUSE);
    }

    private long calls(int slot, Kind kind) {
        return words.get(slot * SLOT + COUNTS + kind.at) >> OWNER_BITS;
    }

    /** The caller's current tally. */
    Tally tally(int slot) {
        int at = slot * SLOT;
        return new Tally(
                new Caller(endpoints[slot], subjects.get(slot)),
                missed.get(slot),
                calls(slot, Kind.ALLOWED),
                calls(slot, Kind.REFUSED),
                calls(slot, Kind.WOULD_REFUSE),
                tiers.get(slot),
                words.get(at + REMAINING),
                words.get(at + RESET_AT),
                words.get(at + LATEST),
                seconds(slot, words.get(at + LATEST) / SECOND_MILLIS));
    }

    private List<Second> seconds(int slot, long latest) {
        List<Second> known = new ArrayList<>();
        for (long second = latest; second > latest - seconds; second--) {
            Tier tier = reportedTiers.get(slot * seconds + Math.floorMod(second, seconds));
            if (tier != null) {
                known.add(new Second(second * SECOND_MILLIS, tier));
            }
        }
        return known;
    }

    /**
     * Frees the slot, and adds its exact counts to the endpoint's sums.
     *
     * @return the {@link #estimate} at the end
     */
    long end(int slot, EndpointSums sums) {
        words.set(slot * SLOT, 0);
        long estimate = missed.get(slot);
        for (Kind kind : KINDS) {
            long counted = words.getAndUpdate(slot * SLOT + COUNTS + kind.at, count -> count + 1 & OWNER);
            sums.add(endpoints[slot], kind, counted >> OWNER_BITS);
            estimate += counted >> OWNER_BITS;
        }
        tiers.set(slot, null);
        words.set(slot * SLOT + TIER, 0);
        for (int i = 0; i < seconds; i++) {
            reportedTiers.set(slot * seconds + i, null);
        }
        return estimate;
    }
}
