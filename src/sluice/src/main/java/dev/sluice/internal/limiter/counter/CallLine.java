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
 * The line of calls that lack permits of one counter, in order of arrival. Each waits for the store, or awaits the
 * outcomes of the calls in flight that took the permits. No call overtakes another: permits are kept for the first one,
 * and calls that need fewer stand behind it. Thread-safe.
 *
 * <pre>
 *   asks the store ── it has nothing, but calls in flight may return enough ──▶ awaits outcomes
 *        ▲                                                                            │
 *        └──────────────── something came back, here or elsewhere ────────────────────┘
 *   either ── an attempt has taken what it needs ──▶ passes
 *   either ── nothing can come back any more, or its time is over ──▶ is refused
 * </pre>
 */
public final class CallLine {

    private static final Comparator<Position> IN_ORDER = (some, other) -> {
        long later = some.arrivalNanos - other.arrivalNanos;
        return later != 0 ? Long.signum(later) : Long.compare(some.number, other.number);
    };

    /** The positions of all lines that no call has joined yet. */
    private static final NavigableSet<Position> NONE = Collections.emptyNavigableSet();

    /** The line of all counters whose permits no call has lacked yet. No call joins it. */
    public static final CallLine NOBODY = new CallLine();

    private NavigableSet<Position> positions = NONE;
    private volatile int awaitingOutcomes;
    private volatile boolean any;

    synchronized void add(Position position) {
        if (!any) {
            positions = new TreeSet<>(IN_ORDER);
        }
        positions.add(position);
        any = true;
    }

    synchronized void remove(Position position) {
        if (any && positions.remove(position)) {
            any = !positions.isEmpty();
            positions = any ? positions : NONE;
            setAwaitsOutcomes(position, false);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // needs the lock
    private void setAwaitsOutcomes(Position position, boolean awaits) {
        if (position.awaitsOutcomes != awaits) {
            position.awaitsOutcomes = awaits;
            awaitingOutcomes += awaits ? 1 : -1;
            position.awaitsOutcomesAt(awaits ? 1 : -1);
        }
    }

    public boolean isEmpty() {
        return !any;
    }

    /** Whether a call waits for the store, rather than awaiting outcomes. */
    public boolean isAnyForStore() {
        return any && isAnyOfPositionsForStore();
    }

    private synchronized boolean isAnyOfPositionsForStore() {
        return positions.stream().anyMatch(position -> position.asksStore());
    }

    /** Whether a call stands in line that arrived before this time. */
    public boolean isAnyBefore(long arrivalNanos) {
        Position first = any ? first() : null;
        return first != null && first.arrivalNanos - arrivalNanos < 0;
    }

    /** Does what is due for the calls that arrived before this time. */
    void checkTimeOfThoseBefore(long arrivalNanos) {
        for (Position position : any ? all() : List.<Position>of()) {
            if (position.arrivalNanos - arrivalNanos >= 0) {
                return;
            }
            position.checkTime();
        }
    }

    private synchronized @Nullable Position first() {
        return positions.isEmpty() ? null : positions.first();
    }

    private synchronized List<Position> all() {
        return List.copyOf(positions);
    }

    /**
     * What those calls need from the store that do not await outcomes, beyond the permits in hand; notes that the
     * store is asked for it now. Calls that await outcomes are left out: what they took here would only be kept from
     * other calls.
     *
     * <p>The grant counts as used at once only if that is right for every partial grant. If calls need several permits
     * each, a part of the grant may be too little for any of them. A grant that does not suffice for the first call is
     * of no use, since the others stand behind it.
     *
     * @param isRecalled only for concurrency limits: whether the store has already asked the holders for earlier calls.
     *     Calls that join after that are not refused by this answer; they ask again
     */
    public synchronized Need ask(long inHand, boolean isRecalled) {
        boolean isUsedAtOnce = true;
        boolean mayReturn = false;
        List<Position> asking =
                positions.stream().filter(position -> position.asksStore()).toList();
        for (Position position : asking) {
            position.isAsked = true;
            position.isRecalledFor |= !isRecalled;
            mayReturn |= position.countsByOutcome();
            isUsedAtOnce &= position.sufficesAlone() && (position.need() == 1 || asking.size() == 1);
        }
        long lacking = needed(asking) - inHand;
        return lacking <= 0
                ? Need.NONE
                : new Need(lacking, Math.max(1, asking.get(0).need() - inHand), isUsedAtOnce, mayReturn, 0);
    }

    /** What all calls need together. */
    public synchronized long needed() {
        return needed(positions);
    }

    private static long needed(Collection<Position> positions) {
        long costs = 0;
        long spare = 0;
        for (Position position : positions) {
            costs += position.cost();
            spare = Math.max(
                    spare, position.need() - position.cost()); // the same spare permits serve the next call too
        }
        return costs + spare;
    }

    /**
     * Something came back, here or on another instance: from now on all calls ask the store. Returns whether there are
     * any.
     */
    public boolean askAgain() {
        for (Position position : any ? all() : List.<Position>of()) {
            if (stopsAwaiting(position)) {
                position.asksAgain();
            }
        }
        return isAnyForStore();
    }

    private synchronized boolean stopsAwaiting(Position position) {
        boolean awaited = position.awaitsOutcomes;
        setAwaitsOutcomes(position, false);
        position.isAsked &= !awaited;
        return awaited;
    }

    /** Lets calls take what is in hand, in order of arrival, until one still lacks something. */
    public void serve() {
        Position position = any ? first() : null;
        while (position != null && position.tryAgain()) {
            position = first();
        }
    }

    /** Lets calls take what is in hand. If all of them await outcomes, also refuses those that can get no more. */
    public void serve(LongPredicate mayGet) {
        if (isEmpty() || isAnyForStore()) {
            serve();
        } else {
            serveOrRefuse(mayGet);
        }
    }

    /** The counter has to be looked up again: each call makes an attempt, and finds its position there. */
    public void moveOn() {
        decide(position -> false);
    }

    /**
     * Lets each call take what is in hand, in order of arrival. A call that lacks something awaits outcomes, or is
     * refused if it can get no more.
     */
    public void serveOrRefuse(LongPredicate mayGet) {
        decide(position -> !mayGet.test(position.need()));
    }

    /**
     * Does the same after the store has said that too little is left.
     *
     * @param isLeft whether this much is left nevertheless, for a call that stood behind one with a greater need
     */
    public void serveOrRefuse(LongPredicate isLeft, LongPredicate mayGet) {
        decide(position -> !mayGet.test(position.need())
                || (position.isAsked && position.isRecalledFor && !isLeft.test(position.need())));
    }

    /** The store need not be asked for calls that can get no more from it: those that may await outcomes do so. */
    public void letAwaitOutcomes(LongPredicate mayGet) {
        decide(position -> position.countsByOutcome() && !mayGet.test(position.need()));
    }

    /** Ends the waits for the store that began by this time. */
    public void refuseThoseUntil(long nanos) {
        for (Position position : any ? all() : List.<Position>of()) {
            if (!position.tryAgain() && position.hasAskedSince(nanos)) {
                position.refuse();
            }
        }
    }

    private void decide(Predicate<Position> isHopeless) {
        for (Position position : any ? all() : List.<Position>of()) {
            if (!position.tryAgain() && isHopeless.test(position) && !mayAwaitOutcomes(position)) {
                position.refuse();
            }
        }
    }

    /**
     * Lets a call await outcomes if calls in flight may return enough and not too many calls do; returns whether it
     * does.
     */
    private boolean mayAwaitOutcomes(Position position) {
        return position.beginsToAwaitOutcomes() && awaitOutcomes(position);
    }

    /** Notes that a position awaits outcomes. A position that the call has left meanwhile needs no more handling. */
    private synchronized boolean awaitOutcomes(Position position) {
        boolean isLeft = !positions.contains(position);
        if (!isLeft && !position.awaitsOutcomes && hasRoom(position.mostAwaitingOutcomes())) {
            setAwaitsOutcomes(position, true);
        }
        return isLeft || position.awaitsOutcomes;
    }

    /** Whether fewer calls than this await outcomes here. */
    boolean hasRoom(long mostAwaitingOutcomes) {
        return awaitingOutcomes < mostAwaitingOutcomes;
    }

    /** The position of a call in the line of one pool. */
    abstract static class Position {

        private final long arrivalNanos;
        /** Orders calls that arrived at the same time. */
        private final long number;
        /** Whether the store was, or is being, asked for what it needs. */
        private boolean isAsked;
        /** Whether it joined the line before permits of other instances were recalled. */
        private boolean isRecalledFor;
        /** Whether it awaits the outcomes of calls in flight here. */
        private boolean awaitsOutcomes;

        Position(long arrivalNanos, long number) {
            this.arrivalNanos = arrivalNanos;
            this.number = number;
        }

        /** What the call takes here. */
        abstract long cost();

        /** How much must be available here for the call to pass. */
        abstract long need();

        /** Whether the call passes once it gets this. */
        abstract boolean sufficesAlone();

        /** Whether calls in flight return what they took if their outcome does not count. */
        abstract boolean countsByOutcome();

        /**
         * Makes the call await outcomes if calls in flight may return enough and not too many calls do; returns whether
         * it does.
         */
        abstract boolean beginsToAwaitOutcomes();

        /** How many calls may await outcomes here. */
        abstract long mostAwaitingOutcomes();

        /** Notes that the call awaits outcomes at this many more positions; fewer if the number is negative. */
        abstract void awaitsOutcomesAt(int morePositions);

        /** Whether the call asks the store, because it awaits outcomes at no position. */
        abstract boolean asksStore();

        /** Whether the call asks the store, and has done so since this time or longer. */
        abstract boolean hasAskedSince(long nanos);

        /**
         * Something came back: the call asks for everything it lacks, unless it awaits outcomes at another position.
         */
        abstract void asksAgain();

        /** Does what is due for the call. */
        abstract void checkTime();

        /** Makes another attempt; returns whether the call has left this position. */
        abstract boolean tryAgain();

        abstract void refuse();
    }
}
