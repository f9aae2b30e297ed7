package dev.sluice.internal.limiter.counter;

import dev.sluice.exchange.Batch.Need;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for permits of one counter, in order of arrival: for the store, or for the outcome of calls under
 * way that took the permits. Nobody overtakes: while the first waits, permits are kept for it, and whoever needs fewer
 * waits behind it. Safe for any threads.
 *
 * <pre>
 *   asks the store ── it has nothing, but calls under way may return enough ──▶ awaits outcomes
 *        ▲                                                                            │
 *        └──────────────── something came back, here or elsewhere ────────────────────┘
 *   either ── an attempt has taken what it needs ──▶ passes
 *   either ── nothing can come back any more, or its time is over ──▶ is refused
 * </pre>
 */
public final class WaitingCalls {

    private static final Comparator<Place> IN_ORDER = (some, other) -> {
        long later = some.arrivalNanos - other.arrivalNanos;
        return later != 0 ? Long.signum(later) : Long.compare(some.number, other.number);
    };

    /** No place, in the line of any pool where no call has ever waited. */
    private static final NavigableSet<Place> NONE = Collections.emptyNavigableSet();

    /** The line of any counter that no call has ever waited for; nobody joins it. */
    public static final WaitingCalls NOBODY = new WaitingCalls();

    private NavigableSet<Place> places = NONE;
    private volatile int awaitingOutcomes;
    private volatile boolean any;

    synchronized void add(Place place) {
        if (!any) {
            places = new TreeSet<>(IN_ORDER);
        }
        places.add(place);
        any = true;
    }

    synchronized void remove(Place place) {
        if (any && places.remove(place)) {
            any = !places.isEmpty();
            places = any ? places : NONE;
            setAwaitsOutcomes(place, false);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // needs the lock
    private void setAwaitsOutcomes(Place place, boolean awaits) {
        if (place.awaitsOutcomes != awaits) {
            place.awaitsOutcomes = awaits;
            awaitingOutcomes += awaits ? 1 : -1;
            place.awaitsOutcomesAt(awaits ? 1 : -1);
        }
    }

    public boolean isEmpty() {
        return !any;
    }

    /** Whether a call waits for the store, and not for outcomes. */
    public boolean isAsking() {
        return any && isAnyAsking();
    }

    private synchronized boolean isAnyAsking() {
        return places.stream().anyMatch(place -> place.asksStore());
    }

    /** Whether a call waits that started to wait before. */
    public boolean isAnyBefore(long arrivalNanos) {
        Place first = any ? first() : null;
        return first != null && first.arrivalNanos - arrivalNanos < 0;
    }

    private synchronized @Nullable Place first() {
        return places.isEmpty() ? null : places.first();
    }

    private synchronized List<Place> all() {
        return List.copyOf(places);
    }

    /**
     * What the calls need that do not await outcomes, in addition to the permits in hand; the store is asked for this now. A
     * call that awaits outcomes of one limit would only keep others from what it took of another one. It counts as used at
     * once only if that is right for every partial grant: if calls need several permits each, a part may be too little
     * for any. A grant that does not suffice for the first is of no use, since the others wait behind it.
     *
     * @param isRecalled of places only: whether the store has already recalled for earlier calls. A call that joins after
     *     that is not refused by this answer; it asks anew
     */
    public synchronized Need ask(long inHand, boolean isRecalled) {
        boolean isUsedAtOnce = true;
        List<Place> asking = places.stream().filter(place -> place.asksStore()).toList();
        for (Place place : asking) {
            place.isAsked = true;
            place.isRecalledFor |= !isRecalled;
            isUsedAtOnce &= place.sufficesAlone() && (place.need() == 1 || asking.size() == 1);
        }
        long lacking = needed(asking) - inHand;
        return lacking <= 0
                ? Need.NONE
                : new Need(lacking, Math.max(1, asking.get(0).need() - inHand), isUsedAtOnce);
    }

    /** What all calls need together. */
    public synchronized long needed() {
        return needed(places);
    }

    private static long needed(Collection<Place> places) {
        long costs = 0;
        long spare = 0;
        for (Place place : places) {
            costs += place.cost();
            spare = Math.max(spare, place.need() - place.cost()); // serves the next call too
        }
        return costs + spare;
    }

    /** Something came back, here or elsewhere: from now on all calls ask the store; returns whether there are any. */
    public boolean askAgain() {
        for (Place place : any ? all() : List.<Place>of()) {
            if (stopsAwaiting(place)) {
                place.asksAgain();
            }
        }
        return isAsking();
    }

    private synchronized boolean stopsAwaiting(Place place) {
        boolean awaited = place.awaitsOutcomes;
        setAwaitsOutcomes(place, false);
        place.isAsked &= !awaited;
        return awaited;
    }

    /** Lets calls take what is in hand, in order of arrival, until one lacks something. */
    public void serve() {
        Place place = any ? first() : null;
        while (place != null && place.tryAgain()) {
            place = first();
        }
    }

    /** The same; if all of them await outcomes, those are refused whom none can help any more. */
    public void serve(LongPredicate mayGet) {
        if (isEmpty() || isAsking()) {
            serve();
        } else {
            serveOrRefuse(mayGet);
        }
    }

    /** The counter has to be looked up again: each call finds its place there. */
    public void moveOn() {
        decide(place -> false);
    }

    /** Each call takes what is in hand, in order of arrival, awaits outcomes, or is refused if it can get no more. */
    public void serveOrRefuse(LongPredicate mayGet) {
        decide(place -> !mayGet.test(place.need()));
    }

    /**
     * The same after the store has said that too little is left.
     *
     * @param isLeft whether this much is left nevertheless, for a call that waited behind one that needs more
     */
    public void serveOrRefuse(LongPredicate isLeft, LongPredicate mayGet) {
        decide(place ->
                !mayGet.test(place.need()) || (place.isAsked && place.isRecalledFor && !isLeft.test(place.need())));
    }

    /** The store need not be asked for calls that may await outcomes, and can get no more from it. */
    public void letAwaitOutcomes(LongPredicate mayGet) {
        decide(place -> place.countsByOutcome() && !mayGet.test(place.need()));
    }

    /** Ends the waits for the store that began by then. */
    public void refuseThoseUntil(long nanos) {
        for (Place place : any ? all() : List.<Place>of()) {
            if (!place.tryAgain() && place.hasAskedSince(nanos)) {
                place.refuse();
            }
        }
    }

    private void decide(Predicate<Place> isHopeless) {
        for (Place place : any ? all() : List.<Place>of()) {
            if (!place.tryAgain() && isHopeless.test(place) && !mayAwaitOutcomes(place)) {
                place.refuse();
            }
        }
    }

    /** Lets a call await the outcomes of calls under way, if these may return enough, and it may. */
    private boolean mayAwaitOutcomes(Place place) {
        return place.beginsToAwaitOutcomes() && awaitOutcomes(place);
    }

    /** A place that was left meanwhile is of no concern any more. */
    private synchronized boolean awaitOutcomes(Place place) {
        boolean isLeft = !places.contains(place);
        if (!isLeft && !place.awaitsOutcomes && hasRoom(place.mostAwaitingOutcomes())) {
            setAwaitsOutcomes(place, true);
        }
        return isLeft || place.awaitsOutcomes;
    }

    /** Whether fewer calls than this await outcomes here. */
    boolean hasRoom(long mostAwaitingOutcomes) {
        return awaitingOutcomes < mostAwaitingOutcomes;
    }

    /** The place of a call in the line of one pool. */
    abstract static class Place {

        private final long arrivalNanos;
        /** The order of calls that arrived at the same time. */
        private final long number;
        /** Whether the store has been, or is being, asked for what it needs. */
        private boolean isAsked;
        /** Whether it began to wait before permits of other instances were recalled. */
        private boolean isRecalledFor;
        /** Whether it waits for the outcome of calls under way here. */
        private boolean awaitsOutcomes;

        Place(long arrivalNanos, long number) {
            this.arrivalNanos = arrivalNanos;
            this.number = number;
        }

        /** What the call takes here. */
        abstract long cost();

        /** What must be available for it to pass. */
        abstract long need();

        /** Whether it passes once it gets this. */
        abstract boolean sufficesAlone();

        /** Whether calls under way return what they took if their outcome does not count. */
        abstract boolean countsByOutcome();

        /** Whether calls under way may return enough, and the call may wait for that: then it counts as doing so. */
        abstract boolean beginsToAwaitOutcomes();

        /** How many calls may wait for outcomes here. */
        abstract long mostAwaitingOutcomes();

        /** At so many more places it waits for outcomes, or at fewer if the number is negative. */
        abstract void awaitsOutcomesAt(int morePlaces);

        /** Whether it asks the store: it waits for outcomes at no place. */
        abstract boolean asksStore();

        /** The same, since then or longer. */
        abstract boolean hasAskedSince(long nanos);

        /** Something came back: it asks for all that it lacks, unless it waits for outcomes at another place. */
        abstract void asksAgain();

        /** Tries again; returns whether it has left this place. */
        abstract boolean tryAgain();

        abstract void refuse();
    }
}
