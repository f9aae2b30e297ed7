package dev.sluice.internal.traffic.sketch;

import dev.sluice.Decision;
import dev.sluice.Subject;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import dev.sluice.internal.traffic.sketch.Tally.Second;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the listed callers, one slot each. Any thread may count, without a lock or an allocation; only one at a
 * time may begin and end slots.
 *
 * <p>Threads are spread over a few {@link TallyStripe stripes}, which are added up when read. If all threads wrote to
 * the same slot, each call would have to fetch it from the cache of the processor that wrote to it last.
 */
final class Tallies {

    /** The most stripes; each takes memory for all slots. */
    private static final int MOST_STRIPES = 4;

    private static final Kind[] KINDS = Kind.values();

    /** Their number is a power of two. */
    private final TallyStripe[] stripes;

    /** How many calls of each caller may have been missed here. */
    private final AtomicLongArray missed;

    private final String[] endpoints;
    private final List<List<Subject>> subjects;
    private final int seconds;

    /**
     * Creates empty slots.
     *
     * @param seconds for how many seconds to keep the reported tiers
     */
    Tallies(int slots, int seconds) {
        int processors = Math.min(MOST_STRIPES, Runtime.getRuntime().availableProcessors());
        this.stripes = Stream.generate(() -> new TallyStripe(slots, seconds))
                .limit(Integer.highestOneBit(processors))
                .toArray(TallyStripe[]::new);
        this.missed = new AtomicLongArray(slots);
        this.endpoints = new String[slots];
        this.subjects = new ArrayList<>(Collections.nCopies(slots, List.of()));
        this.seconds = seconds;
    }

    /** Gives a free slot to a caller. */
    void begin(int slot, long fingerprint, String endpoint, List<Subject> who, long missedBefore) {
        endpoints[slot] = endpoint;
        subjects.set(slot, who);
        missed.set(slot, missedBefore);
        for (TallyStripe stripe : stripes) {
            stripe.begin(slot, fingerprint);
        }
    }

    /** Counts a call if the caller has this slot; returns {@code false} if it does not. */
    boolean count(int slot, long fingerprint, Kind kind, Decision decision, long nowMillis) {
        int stripe = (int) Thread.currentThread().getId() & stripes.length - 1;
        return stripes[stripe].count(slot, fingerprint, kind, decision, nowMillis);
    }

    long fingerprint(int slot) {
        return stripes[0].fingerprint(slot);
    }

    /** The counted calls plus those that may have been missed. */
    long estimate(int slot) {
        long calls = missed.get(slot);
        for (Kind kind : KINDS) {
            calls += calls(slot, kind);
        }
        return calls;
    }

    private long calls(int slot, Kind kind) {
        long calls = 0;
        for (TallyStripe stripe : stripes) {
            calls += stripe.calls(slot, kind);
        }
        return calls;
    }

    /** The caller's current tally. */
    Tally tally(int slot) {
        TallyStripe latest = latest(slot);
        return new Tally(
                new Caller(endpoints[slot], subjects.get(slot)),
                missed.get(slot),
                calls(slot, Kind.ALLOWED),
                calls(slot, Kind.REFUSED),
                calls(slot, Kind.WOULD_REFUSE),
                latest.tier(slot),
                latest.remaining(slot),
                latest.resetAtMillis(slot),
                latest.latestMillis(slot),
                seconds(slot, latest.latestMillis(slot) / TallyStripe.SECOND_MILLIS));
    }

    /** The stripe with the latest call; if several tie, the one with the fewest permits left. */
    private TallyStripe latest(int slot) {
        TallyStripe latest = stripes[0];
        for (TallyStripe stripe : stripes) {
            if (stripe.tier(slot) != null && (latest.tier(slot) == null || isLater(stripe, latest, slot))) {
                latest = stripe;
            }
        }
        return latest;
    }

    private static boolean isLater(TallyStripe stripe, TallyStripe other, int slot) {
        long later = stripe.latestMillis(slot) - other.latestMillis(slot);
        return later > 0 || (later == 0 && stripe.remaining(slot) < other.remaining(slot));
    }

    private List<Second> seconds(int slot, long latest) {
        List<Second> known = new ArrayList<>();
        for (long second = latest; second > latest - seconds; second--) {
            Tier tier = tierIn(slot, second);
            if (tier != null) {
                known.add(new Second(second * TallyStripe.SECOND_MILLIS, tier));
            }
        }
        return known;
    }

    private @Nullable Tier tierIn(int slot, long second) {
        for (TallyStripe stripe : stripes) {
            Tier tier = stripe.tierIn(slot, second);
            if (tier != null) {
                return tier;
            }
        }
        return null;
    }

    /**
     * Frees the slot, and adds its exact counts to the endpoint's sums.
     *
     * @return the {@link #estimate} at the end
     */
    long end(int slot, EndpointSums sums) {
        long estimate = missed.get(slot);
        for (TallyStripe stripe : stripes) {
            estimate += stripe.end(slot, endpoints[slot], sums);
        }
        return estimate;
    }
}
