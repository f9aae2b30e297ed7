package dev.sluice.limiter.account;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The places that calls of one concurrency counter occupy, with those of closed accounts whose calls are still under
 * way. Not safe for several threads.
 *
 * @param <A> the owner, which reports places
 */
final class OccupiedPlaces<A> {

    private final A owner;
    private final LongSupplier ofOwner;
    /** The places of closed owners, which this one reports for them. */
    private final List<OccupiedPlaces<A>> before = new ArrayList<>(0);

    private @Nullable A successor;

    /**
     * Creates the places of one owner.
     *
     * @param ofOwner the number of its places
     */
    OccupiedPlaces(A owner, LongSupplier ofOwner) {
        this.owner = owner;
        this.ofOwner = ofOwner;
    }

    /** Takes over the places of another owner, and those that it took over. */
    void takeOver(OccupiedPlaces<A> other) {
        before.addAll(other.before);
        before.add(other);
        before.forEach(closed -> closed.successor = owner);
        other.before.clear();
    }

    /** The owner that took over these places, if any. */
    @Nullable A successor() {
        return successor;
    }

    /**
     * The number of all places, given the owner's own, which must be read at the same moment as other figures of the
     * report.
     */
    long number(long own) {
        before.removeIf(closed -> closed.ofOwner.getAsLong() == 0);
        return own
                + before.stream()
                        .mapToLong(closed -> closed.ofOwner.getAsLong())
                        .sum();
    }
}
