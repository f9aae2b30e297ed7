package dev.sluice.internal.limiter.memory;

import static java.util.Objects.requireNonNull;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.LinkedNodes;
import dev.sluice.limits.Origin;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order in which counters are evicted when there are too many. Thread-safe: a lock guards the order, and is held
 * only during arithmetic.
 *
 * <p>The order depends on the origin of the counters' subjects. Counters of subjects that callers can invent, such as
 * headers, are evicted first. Counters of sessions are next, followed by counters of verified subjects. Each group is
 * reduced only until it occupies a quarter of the maximum. Therefore, a flood of invented names or sessions cannot
 * evict addresses, and a flood of addresses cannot evict all names.
 *
 * <p>Counters of names in login attempts form a separate group, which has room for an additional quarter of the
 * maximum. Therefore, an attacker who invents such names evicts only counters in this group.
 *
 * <p>Within a group, new counters are spared for a while, because a quarter of the group's room is reserved for them.
 * After that, counters with more than half of their limit remaining are evicted first. Among these, the counter that
 * has been unused for longest is evicted first. If all counters have less remaining, the youngest counters are evicted
 * first. Therefore, an attacker who invents callers and uses up their limits evicts only the counters of those callers,
 * and older counters are retained.
 */
final class EvictionOrder {

    /**
     * The divisor that determines two fractions: the fraction of a group that is reserved for new counters, and the
     * fraction of the maximum that each group can always keep.
     */
    private static final int PART = 4;
    /**
     * The maximum number of counters to skip in the search for a counter with more than half of its limit remaining.
     */
    private static final int MOST_LOOKED_AT = 1_000;
    /** The maximum number of counters to skip because they are in use. */
    private static final int MOST_SPARED = 8;

    private final int maximum;
    /** The groups in the order of eviction. */
    private final Map<Origin, Group> groups = new EnumMap<>(Origin.class);

    private final Group perLogin = new Group();

    /** Creates an order for at most the given number of counters. */
    EvictionOrder(int maximum) {
        this.maximum = maximum;
        for (Origin origin : Origin.values()) {
            groups.put(origin, new Group());
        }
    }

    /** Adds a new counter that is in use now. Counters that all callers share are rare and are never evicted. */
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
         * The counters that had more than half of their limit remaining at the last check. The least recently checked
         * counter comes first.
         */
        private final LinkedNodes<Counter> hardlyUsed = new LinkedNodes<>();
        /** The counters that had less of their limit remaining at the last check. The youngest counter comes last. */
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

        /** Returns the next counter to evict. The group must contain at least one counter. */
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
