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
 * The line of calls that lack permits of one counter, in order of arrival. No call overtakes another. Permits are
 * reserved for the first call, and even calls that need fewer permits stay behind it. For each call, the line stores
 * its position and whether the store has been asked for the permits that it needs. The {@link PendingCall} itself
 * decides how it proceeds. Thread-safe.
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

    /**
     * A call from the point of view of its lines. Only {@link #asksStore} may be called while the lock of a line is
     * held.
     */
    interface Member {

        /**
         * Whether the call is asking the store for the permits that it lacks, rather than awaiting outcomes. This
         * method acquires no lock.
         */
        boolean asksStore();

        /** Makes a further attempt, and returns whether the call has left the given position. */
        boolean tryAgain(Position position);

        /**
         * Decides how the call proceeds if it still lacks permits at the given position. It stays if the store might
         * grant them. Otherwise, it awaits outcomes or is refused.
         *
         * @param mayAskStore whether the store might still have permits
         */
        void stayOrGo(Position position, boolean mayAskStore, long nowMillis);

        /**
         * Handles the return of permits to the counter of the given position. The call no longer awaits outcomes there.
         */
        void askAgain(Position position);

        /** Refuses the call if it has been waiting for the store since the given time or longer. */
        void refuseIfAskedSince(long nanos);

        /** Performs all actions that are now due for the call. */
        void checkOwnTime();
    }

    /**
     * The number of permits that a call takes from one pool, and the number that it needs there.
     *
     * @param cost the number of permits that the call takes
     * @param need the number of permits that must be available for the call to pass
     * @param sufficesAlone whether the call passes as soon as it gets these permits
     * @param countsByOutcome whether calls in flight return their permits if their outcome does not count
     */
    record Demand(long cost, long need, boolean sufficesAlone, boolean countsByOutcome) {}

    /**
     * The position of a call in this line. The lock of the line guards the mutable fields. The thread that serves the
     * line is allowed to read them without that lock.
     */
    final class Position {

        private final Member call;
        private final long arrivalNanos;
        /** The number that orders calls with the same arrival time. */
        private final long number;

        private final Demand demand;
        /** Whether the store has been or is being asked for the permits that the call needs. */
        private boolean isAsked;
        /** Whether the call joined the line before the store recalled permits from other instances. */
        private boolean isRecalledFor;
        /**
         * Whether the call awaits the outcomes of calls in flight at this position. Threads write this field only while
         * they hold the locks of the call and the line.
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

        /** The caller of this method must hold the lock of the call. */
        boolean awaitsOutcomes() {
            return awaitsOutcomes;
        }
    }

    // ---- For calls

    /**
     * Adds a call to the line.
     *
     * @param number the number that orders calls with the same arrival time
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
     * Marks a call as awaiting outcomes in this line, unless the maximum number of calls is already awaiting outcomes.
     * Returns whether the call now awaits outcomes.
     */
    synchronized boolean beginAwaiting(Position position, long mostAwaitingOutcomes) {
        if (!position.awaitsOutcomes && hasRoom(mostAwaitingOutcomes)) {
            setAwaitsOutcomes(position, true);
        }
        return position.awaitsOutcomes;
    }

    /**
     * Marks a call as no longer awaiting outcomes in this line. If the call was awaiting outcomes, the store has to be
     * asked again for the permits that the call needs.
     */
    synchronized void stopAwaiting(Position position) {
        position.isAsked &= !position.awaitsOutcomes;
        setAwaitsOutcomes(position, false);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the caller holds the lock
    private void setAwaitsOutcomes(Position position, boolean awaits) {
        if (position.awaitsOutcomes != awaits) {
            position.awaitsOutcomes = awaits;
            awaitingOutcomes += awaits ? 1 : -1;
        }
    }

    /** Whether fewer than {@code mostAwaitingOutcomes} calls are awaiting outcomes in this line. */
    boolean hasRoom(long mostAwaitingOutcomes) {
        return awaitingOutcomes < mostAwaitingOutcomes;
    }

    /** Performs all actions that are now due for the calls that arrived before the given time. */
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

    /** Whether any call is waiting for the store, rather than awaiting outcomes. */
    public boolean isAnyForStore() {
        return any && isAnyOfPositionsForStore();
    }

    private synchronized boolean isAnyOfPositionsForStore() {
        return positions.stream().anyMatch(position -> position.call.asksStore());
    }

    /** Whether any call in line arrived before the given time. */
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

    /** Returns the total number of permits that the calls in line need. */
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
     * asked for them. The result excludes calls that are awaiting outcomes, because granting permits for them would
     * only make these permits unavailable to other calls.
     *
     * <p>The result tells the store to count the granted permits as used immediately, but only if the calls could use
     * every partial grant in full. If calls need several permits each, a partial grant can be too small for any of them.
     * A grant that is too small for the first call is useless, because the other calls stand behind it.
     *
     * @param isRecalled whether the store has already recalled permits from the holders for earlier calls. This value
     *     matters only for concurrency limits. The reply does not decide calls that join later. They ask again
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
     * Handles the return of permits on this or another instance. From now on, all calls in line ask the store. Returns
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

    /**
     * Lets calls take the permits in hand. If all calls in line are awaiting outcomes, refuses those that can no longer
     * get enough permits.
     */
    public void serve(long nowMillis) {
        if (isEmpty() || isAnyForStore()) {
            serve();
        } else {
            serveOrRefuse(nowMillis);
        }
    }

    /**
     * Makes each call try again, because the counter has to be looked up again. The call then takes its position in the
     * line of the new counter.
     */
    public void moveOn() {
        all().forEach(position -> position.call.tryAgain(position));
    }

    /**
     * Lets each call take the permits in hand, in order of arrival. A call that still lacks permits and can get none
     * from the store awaits outcomes, or is refused if no outcome can help.
     */
    public void serveOrRefuse(long nowMillis) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position)) {
                position.call.stayOrGo(position, true, nowMillis);
            }
        }
    }

    /**
     * Lets each call take the permits in hand, after the store has replied that too few permits remain. A call that
     * still lacks permits awaits outcomes or is refused if the reply applies to it.
     *
     * @param isLeft the predicate that tests whether a given number of permits nevertheless remains. These permits can
     *     be sufficient for a call that stands behind a call with a greater need
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
     * Lets calls await outcomes if they are allowed to do so and the store has no more permits for them. Does not ask
     * the store.
     */
    public void letAwaitOutcomes(long nowMillis) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position) && position.demand.countsByOutcome()) {
                position.call.stayOrGo(position, true, nowMillis);
            }
        }
    }

    /** Refuses the calls that have been waiting for the store since the given time or longer. */
    public void refuseThoseUntil(long nanos) {
        for (Position position : all()) {
            if (!position.call.tryAgain(position)) {
                position.call.refuseIfAskedSince(nanos);
            }
        }
    }
}
