package dev.sluice.limiter.memory;

import static java.util.Objects.requireNonNull;

import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily.Origin;
import dev.sluice.limiter.counter.LinkedNodes;
import dev.sluice.limiter.counter.LinkedNodes.Node;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which counters go first when there are more than fit. Safe for any threads, behind a lock that is held for arithmetic
 * only.
 *
 * <p>Counters of callers who are told by what they can make up, such as a header, go before those told by sessions, and
 * these before those of callers who cannot make themselves up, until the first have but a quarter of the room each: so
 * no flood of invented names or of sessions drives out an address, and no flood of addresses drives out all names.
 *
 * <p>of each kind, new counters stay for a while, in a quarter of its room. Then those that are not mostly spent go, the
 * longest unused first. Where all are spent, the youngest go first: whoever makes up callers who use up their limits
 * drives out these callers, and nobody who was there before.
 */
public final class EvictionOrder {

    /** The part of the room, and of each kind's: one in so many. */
    private static final int PART = 4;
    /** More are not passed over in the search for one that is not spent. */
    private static final int MOST_LOOKED_AT = 1_000;
    /** More are not passed over because they are in use. */
    private static final int MOST_SPARED = 8;

    private final int maximum;
    /** Who goes first stands first. */
    private final Map<Origin, Kind> kinds = new EnumMap<>(Origin.class);

    /** For so many counters. */
    EvictionOrder(int maximum) {
        this.maximum = maximum;
        for (Origin origin : Origin.values()) {
            kinds.put(origin, new Kind());
        }
    }

    /** A counter has been made; it was used just now. */
    synchronized void add(Counter counter, long nowMillis) {
        counter.noteUse(nowMillis);
        kind(counter.family.origin).add(counter.node, nowMillis);
    }

    /** Forgets a counter that was removed. */
    synchronized void remove(Counter counter) {
        counter.node.leave();
    }

    /** Takes out the counter that goes next; {@code null} if all fit. */
    synchronized @Nullable Counter next(long nowMillis) {
        int room = maximum;
        Kind tooMany = null;
        for (Kind kind : kinds.values()) {
            room -= kind.length();
            tooMany = tooMany == null && kind.length() > maximum / PART ? kind : tooMany;
        }
        if (room >= 0 || tooMany == null) {
            return null;
        }
        Node<Counter> next = tooMany.next(nowMillis);
        next.leave();
        return next.item;
    }

    private Kind kind(Origin origin) {
        return requireNonNull(kinds.get(origin));
    }

    /** Counters of one kind. */
    private static final class Kind {

        /** In the order in which they were made. */
        private final LinkedNodes<Counter> newest = new LinkedNodes<>();
        /**
         * Those that were not mostly spent when they were looked at last, which was the longer ago the nearer to the
         * head.
         */
        private final LinkedNodes<Counter> hardlyUsed = new LinkedNodes<>();
        /** Those that were mostly spent when they were looked at last, the youngest at the end. */
        private final LinkedNodes<Counter> spent = new LinkedNodes<>();

        int length() {
            return newest.length() + hardlyUsed.length() + spent.length();
        }

        void add(Node<Counter> node, long nowMillis) {
            newest.addLast(node);
            for (int moved = 0; moved < 2 && newest.length() > 1 + length() / PART; moved++) {
                Node<Counter> oldest = present(newest.first());
                if (oldest.item.isWorthKeeping(nowMillis)) {
                    spent.addLast(oldest);
                } else {
                    addHardlyUsed(oldest);
                }
            }
        }

        private void addHardlyUsed(Node<Counter> node) {
            node.note = node.item.lastUse();
            hardlyUsed.addLast(node);
        }

        /** The one that goes next, of one or more. */
        Node<Counter> next(long nowMillis) {
            int spared = 0;
            for (int looked = 0; looked < MOST_LOOKED_AT; looked++) {
                Node<Counter> oldest = hardlyUsed.first();
                if (oldest == null || oldest.item.isRetired()) {
                    return oldest == null ? ofSpent(nowMillis) : oldest;
                }
                if (oldest.item.isWorthKeeping(nowMillis)) {
                    spent.addFirst(oldest); // it was here before those that were spent while they were new
                } else if (oldest.item.lastUse() != oldest.note && spared < MOST_SPARED) {
                    spared++;
                    addHardlyUsed(oldest);
                } else {
                    return oldest;
                }
            }
            return present(newest.first());
        }

        private Node<Counter> ofSpent(long nowMillis) {
            Node<Counter> oldest = spent.first();
            if (oldest == null) {
                return present(newest.first());
            }
            boolean isOver = oldest.item.isRetired() || !oldest.item.isWorthKeeping(nowMillis);
            return isOver ? oldest : present(spent.last());
        }

        private static Node<Counter> present(@Nullable Node<Counter> node) {
            return requireNonNull(node, "there is no counter where there must be one");
        }
    }
}
