package dev.sluice.internal.limiter.counter;

import dev.sluice.exchange.Batch.Need;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The line of calls that lack permits of one counter, in order of arrival. No call overtakes another: permits are kept
 * for the first one, and even calls that need fewer stand behind it. The line knows the position of each call, and
 * whether the store was asked for it. A {@link PendingCall} itself decides what becomes of it. Thread-safe.
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

    /**
     * A call, as its lines know it. None of these methods may be called under the lock of a line, except
     * {@link #asksStore}.
     */
    interface Member {

        /** Whether it asks the store for the permits that it lacks, rather than awaiting outcomes. Takes no lock. */
        boolean asksStore();

        /** Makes another attempt; returns whether the call has left this position. */
        boolean tryAgain(Position position);

        /**
         * Handles that the call still lacks permits at this position. It stays if it may get them from the store;
         * otherwise it awaits outcomes, or is refused.
         *
         * @param mayAskStore whether the store may still have permits
         */
        void stayOrGo(Position position, boolean mayAskStore, long nowMillis);

        /** Handles that permits came back at this position, so that the call no longer awaits outcomes there. */
        void askAgain(Position position);

        /** Refuses the call if it asks the store, and has done so since this time or longer. */
        void refuseIfAskedSince(long nanos);

        /** Does what is due for the call. */
        void checkOwnTime();
    }

    /**
     * The permits that a call takes from one pool, and those that it needs there.
     *
     * @param cost the permits that it takes
     * @param need the permits that must be available for it to pass
     * @param sufficesAlone whether it passes once it gets these permits
     * @param countsByOutcome whether calls in flight return their permits if their outcome does not count
     */
    record Demand(long cost, long need, boolean sufficesAlone, boolean countsByOutcome) {}

    /**
     * The position of a call in this line. The lock of the line guards its fields; the thread that serves the line may
     * read them without it.
     */
    final class Position {

        private final Member call;
        private final long arrivalNanos;
        /** Orders calls that arrived at the same time. */
        private final long number;

        private final Demand demand;
        /** Whether the store was, or is being, asked for the permits that it needs. */
        private boolean isAsked;
        /** Whether it joined the line before permits of other instances were recalled. */
        private boolean isRecalledFor;
        /** Whether it awaits the outcomes of calls in flight here. Written under the locks of its call and its line. */
        private boolean awaitsOutcomes;

        private Position(Member call, long arrivalNanos, long number, Demand demand) {
            this.call = call;
            this.arrivalNanos = arrivalNanos;
            this.number = number;
            this.demand = demand;
        }

        CallLine line() {
            return CallLine.this;
        }

        /** Needs the lock of its call. */
        boolean awaitsOutcomes() {
            return awaitsOutcomes;
        }
    }

    // ---- For calls

    /**
     * Adds a call to the line.
     *
     * @param number orders calls that arrived at the same time
     */
    synchronized Position join(Member call, long arrivalNanos, long number, Demand demand) {
        if (!any) {
            positions = new TreeSet<>(IN_ORDER);
        }
        Position position = new Position(call, arrivalNanos, number, demand);
        positions.add(position);
        any = true;
        return position;
    }

    synchronized void remove(Position position) {
        if (any && positions.remove(position)) {
            any = !positions.isEmpty();
            positions = any ? positions : NONE;
            setAwaitsOutcomes(position, false);
        }
    }

    /**
     * Notes that a call awaits outcomes here, unless the maximum number of calls already does. Returns whether it does.
     */
    synchronized boolean beginAwaiting(Position position, long mostAwaitingOutcomes) {
        if (!position.awaitsOutcomes && hasRoom(mostAwaitingOutcomes)) {
            setAwaitsOutcomes(position, true);
        }
        return position.awaitsOutcomes;
    }

    /**
     * Notes that a call no longer awaits outcomes here. If it did, the store has yet to be asked for the permits that
     * it needs.
     */
    synchronized void stopAwaiting(Position position) {
        position.isAsked &= !position.awaitsOutcomes;
        setAwaitsOutcomes(position, false);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // needs the lock
    private void setAwaitsOutcomes(Position position, boolean awaits) {
        if (position.awaitsOutcomes != awaits) {
            position.awaitsOutcomes = awaits;
            awaitingOutcomes += awaits ? 1 : -1;
        }
    }

    /** Whether fewer calls than this await outcomes here. */
    boolean hasRoom(long mostAwaitingOutcomes) {
        return awaitingOutcomes < mostAwaitingOutcomes;
    }

    /** Does what is due for the calls that arrived before this time. */
    void checkTimeOfThoseBefore(long arrivalNanos) {
        for (Position position : all()) {
            if (position.arrivalNanos - arrivalNanos >= 0) {
                return;
            }
            position.call.checkOwnTime();
        }
    }

    // ---- The calls in line

    public boolean isEmpty() {
        return !any;
    }

    /** Whether a call waits for the store, rather than awaiting outcomes. */
    public boolean isAnyForStore() {
        return any && isAnyOfPositionsForStore();
    }

    private synchronized boolean isAnyOfPositionsForStore() {
        return positions.stream().anyMatch(position -> position.call.asksStore());
    }

    /** Whether a call stands in line that arrived before this time. */
    public boolean isAnyBefore(long arrivalNanos) {
        Position first = any ? first() : null;
        return first != null && first.arrivalNanos - arrivalNanos < 0;
    }

    private synchronized @Nullable Position first() {
        return positions.isEmpty() ? null : positions.first();
    }

    private List<Position> all() {
        return any ? copied() : List.of();
    }

    private synchronized List<Position> copied() {
        return List.copyOf(positions);
    }

    /** The number of permits that all calls need together. */
    public synchronized long needed() {
        return needed(positions);
    }

    private static long needed(Collection<Position> positions) {
        long costs = 0;
        long spare = 0;
        for (Position position : positions) {
            Demand demand = position.demand;
            costs += demand.cost();
            spare = Math.max(spare, demand.need() - demand.cost()); // the same spare permits serve the next call too
        }
        return costs + spare;
    }

    // ---- For the thread that serves the line

    /**
     * The permits beyond those in hand that calls need from the store, without the calls that await outcomes. Notes
     * that the store is asked for them now. Calls that await outcomes are left out, because permits for them would only
     * be kept from other calls.
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
                positions.stream().filter(position -> position.call.asksStore()).toList();
        for (Position position : asking) {
            Demand demand = position.demand;
            position.isAsked = true;
            position.isRecalledFor |= !isRecalled;
            mayReturn |= demand.countsByOutcome();
            isUsedAtOnce &= demand.sufficesAlone() && (demand.need() == 1 || asking.size() == 1);
        }
        long lacking = needed(asking) - inHand;
        return lacking <= 0
                ? Need.NONE
                : new Need(lacking, Math.max(1, asking.get(0).demand.need() - inHand), isUsedAtOnce, mayReturn, 0);
    }

    /**
     * Handles that permits came back, here or on another instance, so that all calls ask the store from now on. Returns
     * whether there are any calls.
     */
    public boolean askAgain() {
        all().forEach(position -> position.call.askAgain(position));
        return isAnyForStore();
    }

    /** Lets calls take the permits in hand, in order of arrival, until one of them still lacks some. */
    public void serve() {
        Position position = any ? first() : null;
        while (position != null && position.call.tryAgain(position)) {
            position = first();
        }
    }

    /** Lets calls take the permits in hand. If all of them await outcomes, also refuses those that can get no more. */
    public void serve(long nowMillis) {
        if (isEmpty() || isAnyForStore()) {
            serve();
        } else {
            serveOrRefuse(nowMillis);
        }
    }

    /**
     * Lets each call make an attempt, because the counter has to be looked up again. The call finds its new position
     * there.
     */
    public void moveOn() {
        all().forEach(position -> position.call.tryAgain(position));
    }

    /**
     * Lets each call take the permits in hand, in order of arrival. A call that still lacks some awaits outcomes, or is
     * refused if it can get no more.
     */
    public void serveOrRefuse(long nowMillis) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position)) {
                position.call.stayOrGo(position, true, nowMillis);
            }
        }
    }

    /**
     * Does the same after the store has said that too few permits remain.
     *
     * @param isLeft whether this number of permits remains nevertheless, for a call that stood behind one with a
     *     greater need
     */
    public void serveOrRefuse(LongPredicate isLeft, long nowMillis) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position)) {
                boolean isAnswered = position.isAsked && position.isRecalledFor && !isLeft.test(position.demand.need());
                position.call.stayOrGo(position, !isAnswered, nowMillis);
            }
        }
    }

    /** Lets calls await outcomes if they may and can get no more from the store, which need not be asked for them. */
    public void letAwaitOutcomes(long nowMillis) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position) && position.demand.countsByOutcome()) {
                position.call.stayOrGo(position, true, nowMillis);
            }
        }
    }

    /** Ends the waits for the store that began by this time. */
    public void refuseThoseUntil(long nanos) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position)) {
                position.call.refuseIfAskedSince(nanos);
            }
        }
    }
}
