package dev.sluice.limiter.shared;

import dev.sluice.exchange.Batch.Need;
import dev.sluice.limiter.shared.WaitingCall.Place;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for permits of one pool, in order of arrival. Nobody overtakes: while the first waits, permits are
 * kept for it, and whoever needs fewer waits behind it. Safe for any threads.
 */
public final class WaitingCalls {

    private static final Comparator<Place> IN_ORDER = (some, other) -> {
        long later = some.call.arrivalNanos - other.call.arrivalNanos;
        return later != 0 ? Long.signum(later) : Long.compare(some.call.number, other.call.number);
    };

    private final TreeSet<Place> places = new TreeSet<>(IN_ORDER);

    private volatile boolean any;

    synchronized void add(Place place) {
        places.add(place);
        any = true;
    }

    synchronized void remove(Place place) {
        places.remove(place);
        any = !places.isEmpty();
    }

    public boolean isEmpty() {
        return !any;
    }

    /** Whether a call waits that started to wait before. */
    boolean isAnyBefore(long arrivalNanos) {
        Place first = any ? first() : null;
        return first != null && first.call.arrivalNanos - arrivalNanos < 0;
    }

    private synchronized @Nullable Place first() {
        return places.isEmpty() ? null : places.first();
    }

    private synchronized List<Place> all() {
        return List.copyOf(places);
    }

    /**
     * What the calls need in addition to the permits in hand; the store is asked for this now. It counts as used at
     * once only if that is right for every partial grant: if calls need several permits each, a part may be too little
     * for any. A grant that does not suffice for the first is of no use, since the others wait behind it.
     *
     * @param isRecalled of places only: whether the store has already recalled for earlier calls. A call that joins after
     *     that is not refused by this answer; it asks anew
     */
    public synchronized Need ask(long inHand, boolean isRecalled) {
        boolean isUsedAtOnce = true;
        for (Place place : places) {
            place.isAsked = true;
            place.isRecalledFor |= !isRecalled;
            isUsedAtOnce &= place.lacking.sufficesAlone() && (place.lacking.need() == 1 || places.size() == 1);
        }
        long lacking = needed(places) - inHand;
        return lacking <= 0
                ? Need.NONE
                : new Need(lacking, Math.max(1, places.first().lacking.need() - inHand), isUsedAtOnce);
    }

    /** What all calls need together. */
    public synchronized long needed() {
        return needed(places);
    }

    private static long needed(Collection<Place> places) {
        long costs = 0;
        long spare = 0;
        for (Place place : places) {
            costs += place.lacking.cost();
            spare = Math.max(spare, place.lacking.need() - place.lacking.cost()); // serves the next call too
        }
        return costs + spare;
    }

    /** Lets calls take what is in hand, in order of arrival, until one lacks something. */
    public void serve() {
        Place place = any ? first() : null;
        while (place != null && place.call.tryAgain(place)) {
            place = first();
        }
    }

    /** The counter has to be looked up again: each call finds its place there. */
    public void moveOn() {
        decide(place -> false);
    }

    /** Each call takes what is in hand, in order of arrival, or is refused if it can get no more. */
    public void serveOrRefuse(LongPredicate mayGet) {
        decide(place -> !mayGet.test(place.lacking.need()));
    }

    /**
     * The same after the store has said that too little is left.
     *
     * @param isLeft whether this much is left nevertheless, for a call that waited behind one that needs more
     */
    public void serveOrRefuse(LongPredicate isLeft, LongPredicate mayGet) {
        decide(place -> !mayGet.test(place.lacking.need())
                || (place.isAsked && place.isRecalledFor && !isLeft.test(place.lacking.need())));
    }

    /** Ends the waits that began by then. */
    public void refuseThoseSince(long nanos) {
        decide(place -> place.call.arrivalNanos - nanos <= 0);
    }

    private void decide(Predicate<Place> isHopeless) {
        for (Place place : any ? all() : List.<Place>of()) {
            if (!place.call.tryAgain(place) && isHopeless.test(place)) {
                place.call.refuse();
            }
        }
    }
}
