package dev.sluice.limiter.shared;

import dev.sluice.exchange.Batch.Need;
import dev.sluice.limiter.counter.Sharing.WaitingAttempt;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
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

    /** No place, in the line of any pool where no call has ever waited. */
    private static final NavigableSet<Place> NONE = Collections.emptyNavigableSet();

    private final Window pool;
    private NavigableSet<Place> places = NONE;
    private volatile boolean any;

    /** An empty line. */
    WaitingCalls(Window pool) {
        this.pool = pool;
    }

    private synchronized void add(Place place) {
        if (!any) {
            places = new TreeSet<>(IN_ORDER);
        }
        places.add(place);
        any = true;
    }

    private synchronized void remove(Place place) {
        if (any) {
            places.remove(place);
            any = !places.isEmpty();
            places = any ? places : NONE;
        }
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
    public void refuseThoseUntil(long nanos) {
        decide(place -> place.call.arrivalNanos - nanos <= 0);
    }

    private void decide(Predicate<Place> isHopeless) {
        for (Place place : any ? all() : List.<Place>of()) {
            if (!place.call.tryAgain(place) && isHopeless.test(place)) {
                place.call.refuse();
            }
        }
    }

    /** The place of a call in the line of one pool. */
    private static final class Place {
        final WaitingCall call;
        final WaitingCalls line;
        final Shortage lacking;
        /** Whether the store has been, or is being, asked for what it needs. */
        boolean isAsked;
        /** Whether it began to wait before permits of other instances were recalled. */
        boolean isRecalledFor;

        Place(WaitingCall call, WaitingCalls line, Shortage lacking) {
            this.call = call;
            this.line = line;
            this.lacking = lacking;
        }
    }

    /**
     * A call that waits: it stands in line at each pool that lacks what it needs, and whoever gets to it tries again in its
     * stead. It is decided once. Safe for any threads.
     */
    public static final class WaitingCall {

        private static final AtomicLong NUMBERS = new AtomicLong();

        /** {@code true} once it has taken all that it needs, {@code false} once it is refused. */
        public final CompletableFuture<Boolean> news = new CompletableFuture<>();

        final long arrivalNanos;
        final long number = NUMBERS.incrementAndGet();
        private final WaitingAttempt attempt;
        private final Function<Shortage, WaitingCalls> lines;
        private final List<Place> places = new ArrayList<>(1);
        private boolean over;

        /**
         * A call that stands nowhere yet.
         *
         * @param lines the line of the pool that lacks something
         */
        public WaitingCall(WaitingAttempt attempt, Function<Shortage, WaitingCalls> lines, long arrivalNanos) {
            this.attempt = attempt;
            this.lines = lines;
            this.arrivalNanos = arrivalNanos;
        }

        /** Stands in line for all that it lacks, and nowhere else. */
        public synchronized void standInLine(List<Shortage> lacking) {
            for (Place place : List.copyOf(places)) {
                if (lacking.stream().noneMatch(still -> still.pool() == place.lacking.pool())) {
                    leave(place);
                }
            }
            for (Shortage one : lacking) {
                if (places.stream().noneMatch(place -> place.lacking.pool() == one.pool())) {
                    Place place = new Place(this, lines.apply(one), one);
                    places.add(place);
                    place.line.add(place);
                    SharedWindows.requestCheck(place.line.pool);
                }
            }
        }

        /** Whoever is next in that line may be served now. */
        private void leave(Place place) {
            places.remove(place);
            place.line.remove(place);
            if (!place.line.isEmpty()) {
                SharedWindows.requestCheck(place.line.pool);
            }
        }

        /** Tries again; returns whether it has left this place. */
        synchronized boolean tryAgain(Place place) {
            if (!over) {
                List<Shortage> lacking = attempt.tryAgain();
                if (lacking.isEmpty()) {
                    decide(true);
                } else {
                    standInLine(lacking);
                }
            }
            return !places.contains(place);
        }

        synchronized void refuse() {
            if (!over) {
                decide(false);
            }
        }

        /** Ends its wait, after a last attempt if it is not decided. */
        public synchronized void end() {
            if (!over) {
                decide(attempt.tryAgain().isEmpty());
            }
        }

        private void decide(boolean isTaken) {
            over = true;
            List.copyOf(places).forEach(this::leave);
            news.complete(isTaken);
        }
    }
}
