package dev.sluice.internal.limiter.memory;

import static java.util.Objects.requireNonNull;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.LinkedNodes;
import dev.sluice.limits.Origin;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which counters are evicted when there are too many. Thread-safe: a lock guards it, and is held only for
 * arithmetic.
 *
 * <p>The order of eviction depends on the origin of the counters' subjects. Subjects that callers can invent, such as
 * headers, are evicted first. Sessions are next, followed by verified subjects. Each group is reduced until it occupies
 * a quarter of the maximum. So a flood of invented names or sessions cannot evict addresses, and a flood of addresses
 * cannot evict all names.
 *
 * <p>Names in login attempts form a separate group, with room for another quarter of the maximum. So an attacker who
 * invents such names evicts only names of this kind.
 *
 * <p>Within a group, new counters stay for a while, in a quarter of its room. After that, counters with more than half
 * of their limit remaining are evicted, the longest unused first. If all counters have less remaining, the youngest are
 * evicted first. So an attacker who creates callers and uses up their limits loses those counters, and older counters
 * stay.
 */
final class EvictionOrder {

    /**
     * The divisor for the share of new counters in their group, and for the share of the maximum that each group keeps.
     */
    private static final int PART = 4;
    /** The maximum number of counters to skip in the search for a hardly used one. */
    private static final int MOST_LOOKED_AT = 1_000;
    /** The maximum number of counters to skip because they are in use. */
    private static final int MOST_SPARED = 8;

    private final int maximum;
    /** The groups in the order of eviction. */
    private final Map<Origin, Group> groups = new EnumMap<>(Origin.class);

    private final Group perLogin = new Group();

    /** Creates an order for this many counters. */
    EvictionOrder(int maximum) {
        this.maximum = maximum;
        for (Origin origin : Origin.values()) {
            groups.put(origin, new Group());
        }
    }

    /** Adds a new counter, which is in use now. Counters that all callers share are rare, and are never evicted. */
    synchronized void add(Counter counter, long nowMillis) {
        counter.recordUse(nowMillis);
        if (!counter.family.isOfEverybody) {
            group(counter).add(counter, nowMillis);
        }
    }

    /** Removes a counter. */
    synchronized void remove(Counter counter) {
        LinkedNodes.leave(counter);
    }

    /** Removes and returns the next counter to evict; {@code null} if there is room for all counters. */
    synchronized @Nullable Counter next(long nowMillis) {
        if (perLogin.length() > maximum / PART) {
            return leaving(perLogin, nowMillis);
        }
        int room = maximum;
        Group tooMany = null;
        for (Group group : groups.values()) {
            room -= group.length();
            tooMany = tooMany == null && group.length() > maximum / PART ? group : tooMany;
        }
        return room >= 0 || tooMany == null ? null : leaving(tooMany, nowMillis);
    }

    private static Counter leaving(Group group, long nowMillis) {
        Counter next = group.next(nowMillis);
        LinkedNodes.leave(next);
        return next;
    }

    private Group group(Counter counter) {
        return counter.family.isPerLogin ? perLogin : requireNonNull(groups.get(counter.family.origin));
    }

    /** The counters of one origin. */
    private static final class Group {

        /** The new counters, in the order in which they were created. */
        private final LinkedNodes<Counter> newest = new LinkedNodes<>();
        /**
         * Counters with more than half of their limit remaining at the last check. The least recently checked one comes
         * first.
         */
        private final LinkedNodes<Counter> hardlyUsed = new LinkedNodes<>();
        /** Counters with less of their limit remaining at the last check. The youngest one comes last. */
        private final LinkedNodes<Counter> mostlyUsed = new LinkedNodes<>();

        int length() {
            return newest.length() + hardlyUsed.length() + mostlyUsed.length();
        }

        void add(Counter counter, long nowMillis) {
            newest.addLast(counter);
            for (int moved = 0; moved < 2 && newest.length() > 1 + length() / PART; moved++) {
                Counter oldest = present(newest.first());
                if (oldest.isWorthKeeping(nowMillis)) {
                    mostlyUsed.addLast(oldest);
                } else {
                    addHardlyUsed(oldest);
                }
            }
        }

        private void addHardlyUsed(Counter counter) {
            counter.noteLastUse();
            hardlyUsed.addLast(counter);
        }

        /** Returns the next counter to evict. There must be at least one. */
        Counter next(long nowMillis) {
            int spared = 0;
            for (int looked = 0; looked < MOST_LOOKED_AT; looked++) {
                Counter oldest = hardlyUsed.first();
                if (oldest == null || oldest.isRetired()) {
                    return oldest == null ? ofMostlyUsed(nowMillis) : oldest;
                }
                if (oldest.isWorthKeeping(nowMillis)) {
                    mostlyUsed.addFirst(oldest); // older than the counters that were mostly used while new
                } else if (oldest.isUsedSinceNoted() && spared < MOST_SPARED) {
                    spared++;
                    addHardlyUsed(oldest);
                } else {
                    return oldest;
                }
            }
            return present(newest.first());
        }

        private Counter ofMostlyUsed(long nowMillis) {
            Counter oldest = mostlyUsed.first();
            if (oldest == null) {
                return present(newest.first());
            }
            boolean isOver = oldest.isRetired() || !oldest.isWorthKeeping(nowMillis);
            return isOver ? oldest : present(mostlyUsed.last());
        }

        private static Counter present(@Nullable Counter counter) {
            return requireNonNull(counter, "this list must not be empty");
        }
    }
}
