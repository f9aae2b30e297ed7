package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitingAttempt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A call that waits: it stands in line at each pool that lacks what it needs, and whoever gets to it tries again in its
 * stead. It is decided once. Safe for any threads.
 */
public final class WaitingCall {

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** {@code true} once it has taken all that it needs, {@code false} once it is refused. */
    public final CompletableFuture<Boolean> news = new CompletableFuture<>();

    final long arrivalNanos;
    final long number = NUMBERS.incrementAndGet();
    private final WaitingAttempt attempt;
    private final List<Place> places = new ArrayList<>(1);
    private boolean over;

    /** A call that stands nowhere yet. */
    public WaitingCall(WaitingAttempt attempt, long arrivalNanos) {
        this.attempt = attempt;
        this.arrivalNanos = arrivalNanos;
    }

    /** Its place in the line of one pool. */
    static final class Place {
        final WaitingCall call;
        final SharedPool pool;
        final Shortage lacking;
        /** Whether the store has been, or is being, asked for what it needs. */
        boolean isAsked;
        /** Whether it began to wait before permits of other instances were recalled. */
        boolean isRecalledFor;

        Place(WaitingCall call, Shortage lacking) {
            this.call = call;
            this.pool = (SharedPool) lacking.pool();
            this.lacking = lacking;
        }
    }

    /** Stands in line for all that it lacks, and nowhere else. */
    public synchronized void standInLine(List<Shortage> lacking) {
        for (Place place : List.copyOf(places)) {
            if (lacking.stream().noneMatch(still -> still.pool() == place.pool)) {
                leave(place);
            }
        }
        for (Shortage one : lacking) {
            if (places.stream().noneMatch(place -> place.pool == one.pool())) {
                Place place = new Place(this, one);
                places.add(place);
                place.pool.waiting.add(place);
                place.pool.requestCheck();
            }
        }
    }

    /** Whoever is next in that line may be served now. */
    private void leave(Place place) {
        places.remove(place);
        place.pool.waiting.remove(place);
        if (!place.pool.waiting.isEmpty()) {
            place.pool.requestCheck();
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
