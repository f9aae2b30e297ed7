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
 * What is counted of the callers who are listed, each in a slot. Any threads may count, without a lock and without a new
 * object; one at a time may begin and end slots.
 *
 * <p>All that a call changes of a slot lies together in memory, since with many callers little else is in the processor's
 * caches. There are numbers only: to put a new object into an old one makes the garbage collector look.
 *
 * <p>A slot may be given to another caller while a thread counts in it. So each count carries in its lowest bits how many
 * callers the slot has had, of which {@link #end} tells first that there is none, and then adds one to it and takes the
 * count, in one step. A thread that has found its caller in the slot after it saw that number counts only as long as it
 * is the same, in one step too: nothing is ever counted for another caller, not even for a moment.
 */
final class Tallies {

    /** Places in a slot, in front of which stands the fingerprint, 0 while nobody has the slot. */
    private static final int COUNTS = 1;

    private static final int REMAINING = 4;
    private static final int RESET_AT = 5;
    private static final int LATEST = 6;
    /** Which tier spoke last, as a number: to compare the tiers themselves would be to look elsewhere in memory. */
    private static final int TIER = 7;

    private static final int SLOT = 8;

    private static final int OWNER_BITS = 16;
    private static final long OWNER = (1L << OWNER_BITS) - 1;
    private static final long ONE_CALL = 1L << OWNER_BITS;

    private static final long SECOND_MILLIS = 1_000;

    private static final Kind[] KINDS = Kind.values();

    private final AtomicLongArray words;
    /** How many calls each caller may have had that were not counted here. */
    private final AtomicLongArray missed;

    private final String[] endpoints;
    private final List<List<Subject>> subjects;
    private final AtomicReferenceArray<@Nullable Tier> tiers;
    /** Which tier spoke in each of the last seconds, in a ring for each slot; for people to read. */
    private final AtomicReferenceArray<@Nullable Tier> spoken;

    private final int seconds;

    /**
     * Has empty slots.
     *
     * @param seconds of how many to remember which tier spoke
     */
    Tallies(int slots, int seconds) {
        this.words = new AtomicLongArray(slots * SLOT);
        this.missed = new AtomicLongArray(slots);
        this.endpoints = new String[slots];
        this.subjects = new ArrayList<>(Collections.nCopies(slots, List.of()));
        this.tiers = new AtomicReferenceArray<>(slots);
        this.spoken = new AtomicReferenceArray<>(slots * seconds);
        this.seconds = seconds;
    }

    /** Gives a slot that is empty to a caller. */
    void begin(int slot, long fingerprint, String endpoint, List<Subject> who, long missedBefore) {
        endpoints[slot] = endpoint;
        subjects.set(slot, who);
        missed.set(slot, missedBefore);
        words.set(slot * SLOT, fingerprint);
    }

    /** Counts a call of a caller, if it has the slot. Whether it has. */
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

    /** What people read may be that of a thread that was a little earlier. */
    private void note(int slot, Decision decision, long nowMillis) {
        int at = slot * SLOT;
        int tier = System.identityHashCode(decision.tier());
        boolean isOtherTier = words.getPlain(at + TIER) != tier;
        if (isOtherTier) {
            note(slot, decision.tier(), tier);
        }
        long second = nowMillis / SECOND_MILLIS;
        if (seconds > 0 && (isOtherTier || words.getPlain(at + LATEST) / SECOND_MILLIS != second)) {
            spoken.setOpaque(slot * seconds + Math.floorMod(second, seconds), decision.tier());
        }
        words.setOpaque(at + REMAINING, decision.remaining());
        words.setOpaque(at + RESET_AT, nowMillis + decision.resetAfterMillis());
        words.setOpaque(at + LATEST, nowMillis);
    }

    /** Whoever sees that another thread has noted another tier at the same time leaves it to the next call. */
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

    /** All calls that were counted, and those that may have been missed. */
    long estimate(int slot) {
        return calls(slot) + missed.get(slot);
    }

    private long calls(int slot) {
        return calls(slot, Kind.ALLOWED) + calls(slot, Kind.REFUSED) + calls(slot, Kind.WOULD_REFUSE);
    }

    private long calls(int slot, Kind kind) {
        return words.get(slot * SLOT + COUNTS + kind.at) >> OWNER_BITS;
    }

    /** What is known of the caller now. */
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
            Tier tier = spoken.get(slot * seconds + Math.floorMod(second, seconds));
            if (tier != null) {
                known.add(new Second(second * SECOND_MILLIS, tier));
            }
        }
        return known;
    }

    /**
     * Takes the slot from its caller, and adds what was counted, exactly, to the sums of the endpoint.
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
            spoken.set(slot * seconds + i, null);
        }
        return estimate;
    }
}
