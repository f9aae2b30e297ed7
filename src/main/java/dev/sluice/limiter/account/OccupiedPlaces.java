package dev.sluice.limiter.account;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The places that the calls of one concurrency counter occupy, with those of earlier owners whose pools are over and
 * whose calls are still under way. For one thread.
 *
 * @param <A> who reports places
 */
final class OccupiedPlaces<A> {

    private final A owner;
    private final LongSupplier ofOwner;
    /** Those whose owners report nothing any more; this one does for them. */
    private final List<OccupiedPlaces<A>> before = new ArrayList<>(0);

    private @Nullable A successor;

    /**
     * The places of this owner alone.
     *
     * @param ofOwner tells how many those are
     */
    OccupiedPlaces(A owner, LongSupplier ofOwner) {
        this.owner = owner;
        this.ofOwner = ofOwner;
    }

    /** Counts the places of another from now on, and those that it counted. */
    void takeOver(OccupiedPlaces<A> other) {
        before.addAll(other.before);
        before.add(other);
        before.forEach(closed -> closed.successor = owner);
        other.before.clear();
    }

    /** Who reports these places, if another does. */
    @Nullable A successor() {
        return successor;
    }

    /** How many there are, where the owner's are so many: what else it tells must be of the same moment. */
    long number(long own) {
        before.removeIf(closed -> closed.ofOwner.getAsLong() == 0);
        return own
                + before.stream()
                        .mapToLong(closed -> closed.ofOwner.getAsLong())
                        .sum();
    }
}
