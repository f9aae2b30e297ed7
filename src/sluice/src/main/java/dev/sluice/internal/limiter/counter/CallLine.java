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
 * The line of calls that lack permits of one counter, in order of arrival. No call overtakes another: permits are
 * reserved for the first call, and even calls that need fewer stand behind it. The line stores the position of each
 * call, and whether the store was asked for its permits. The {@link PendingCall} itself decides how it proceeds.
 * Thread-safe.
 */
public final class CallLine {

    private static final Comparator<Position> IN_ORDER = (some, other) -> {
        long later = some.arrivalNanos - other.arrivalNanos;
        return later != 0 ? Long.signum(later) : Long.compare(some.number, other.number);
    };

    /** The shared empty set of positions, for lines without calls. */
    private static final NavigableSet<Position> NONE = Collections.emptyNavigableSet();

    /** The shared line of all counters at which no call has ever lacked permits. No call joins it. */
    public static final CallLine NOBODY = new CallLine();

    private NavigableSet<Position> positions = NONE;
    private volatile int awaitingOutcomes;
    private volatile boolean any;

    /** A call, as its lines see it. Only {@link #asksStore} may be called while the lock of a line is held. */
    interface Member {

        /** Whether it asks the store for the permits that it lacks, rather than awaiting outcomes. Acquires no lock. */
        boolean asksStore();

        /** Makes another attempt, and returns whether the call has left this position. */
        boolean tryAgain(Position position);

        /**
         * Handles a call that still lacks permits at this position. It stays if the store may grant them. Otherwise, it
         * awaits outcomes or is refused.
         *
         * @param mayAskStore whether the store may still have permits
         */
        void stayOrGo(Position position, boolean mayAskStore, long nowMillis);

        /** Handles permits returned at this position. The call no longer awaits outcomes there. */
        void askAgain(Position position);

        /** Refuses the call if it has been asking the store since this time or longer. */
        void refuseIfAskedSince(long nanos);

        /** Does everything that is now due for the call. */
        void checkOwnTime();
    }

    /**
     * The permits that a call takes from one pool, and the permits that it needs there.
     *
     * @param cost the permits that it takes
     * @param need the permits that must be available for it to pass
     * @param sufficesAlone whether it passes as soon as it gets these permits
     * @param countsByOutcome whether calls in flight return their permits if their outcome does not count
     */
    record Demand(long cost, long need, boolean sufficesAlone, boolean countsByOutcome) {}

    /**
     * The position of a call in this line. The lock of the line guards its fields. The thread that serves the line may
     * read them without that lock.
     */
    final class Position {

        private final Member call;
        private final long arrivalNanos;
        /** Orders calls that arrived at the same time. */
        private final long number;

        private final Demand demand;
        /** Whether the store was asked, or is being asked, for the permits that the call needs. */
        private boolean isAsked;
        /** Whether the call joined the line before permits of other instances were recalled. */
        private boolean isRecalledFor;
        /**
         * Whether the call awaits the outcomes of calls in flight here. Written under the locks of the call and the
         * line.
         */
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

        /** Requires the lock of the call. */
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
     * Marks a call as awaiting outcomes here, unless the maximum number of calls already does. Returns whether it
     * awaits them.
     */
    synchronized boolean beginAwaiting(Position position, long mostAwaitingOutcomes) {
        if (!position.awaitsOutcomes && hasRoom(mostAwaitingOutcomes)) {
            setAwaitsOutcomes(position, true);
        }
        return position.awaitsOutcomes;
    }

    /**
     * Marks a call as no longer awaiting outcomes here. If it did, the store still has to be asked for the permits that
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

    /** Does everything that is now due for the calls that arrived before this time. */
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

    /** Whether a call that arrived before this time stands in line. */
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

    /** Returns the total number of permits that the calls need. */
    public synchronized long needed() {
        return needed(positions);
    }

    private static long needed(Collection<Position> positions) {
        long costs = 0;
        long spare = 0;
        for (Position position : positions) {
            Demand demand = position.demand;
            costs += demand.cost();
            spare = Math.max(spare, demand.need() - demand.cost()); // the next call can use the same spare permits
        }
        return costs + spare;
    }

    // ---- For the thread that serves the line

    /**
     * Returns how many permits calls need from the store beyond those in hand, and records that the store is being
     * asked for them. Calls that await outcomes are left out, because their permits would only be withheld from other
     * calls.
     *
     * <p>The grant is reported as used at once only if that is right for every partial grant. If calls need several
     * permits each, part of the grant may be too little for any of them. A grant that is too small for the first call
     * is useless, because the other calls stand behind it.
     *
     * @param isRecalled only for concurrency limits: whether the store has already asked the holders for earlier calls.
     *     This answer does not decide calls that join later; they ask again
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
     * Handles permits that were returned here or on another instance. From now on, all calls ask the store. Returns
     * whether there are any such calls.
     */
    public boolean askAgain() {
        all().forEach(position -> position.call.askAgain(position));
        return isAnyForStore();
    }

    /** Lets calls take the permits in hand, in order of arrival, until one of them cannot get enough. */
    public void serve() {
        Position position = any ? first() : null;
        while (position != null && position.call.tryAgain(position)) {
            position = first();
        }
    }

    /** Lets calls take the permits in hand. If all of them await outcomes, refuses those that cannot get any more. */
    public void serve(long nowMillis) {
        if (isEmpty() || isAnyForStore()) {
            serve();
        } else {
            serveOrRefuse(nowMillis);
        }
    }

    /**
     * Makes each call try again, because the counter has to be looked up again. The call finds its new position there.
     */
    public void moveOn() {
        all().forEach(position -> position.call.tryAgain(position));
    }

    /**
     * Lets each call take the permits in hand, in order of arrival. A call that still lacks permits awaits outcomes, or
     * is refused if it cannot get any more.
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

    /**
     * Lets calls await outcomes if they may do so and the store has no more permits for them. Does not ask the store.
     */
    public void letAwaitOutcomes(long nowMillis) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position) && position.demand.countsByOutcome()) {
                position.call.stayOrGo(position, true, nowMillis);
            }
        }
    }

    /** Ends the waits for the store that began at or before this time. */
    public void refuseThoseUntil(long nanos) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position)) {
                position.call.refuseIfAskedSince(nanos);
            }
        }
    }
}
