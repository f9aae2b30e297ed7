package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.TICKS_PER_INTERVAL;

import dev.sluice.internal.limiter.account.Dormancy;
import dev.sluice.internal.limiter.account.Due;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.ledger.Entry.Queued;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The queue that determines when entries are checked and when their statements are sent. Each entry is queued at most
 * once, at the position that its account's {@link Due} determines. Active entries are checked four times per interval.
 * Not thread-safe.
 */
final class DueQueue {

    private static final Comparator<Queued> FIRST_DUE_FIRST =
            Comparator.<Queued>comparingLong(queued -> queued.due().nanos()).thenComparingLong(Queued::arrival);

    private final Map<Lane, NavigableSet<Queued>> lanes = new HashMap<>();
    private final Map<Long, Clockwork> clockworks = new HashMap<>();
    private long arrivals;

    /**
     * One of the queue's four lanes. The lanes separate urgent statements from others, and newcomers from entries that
     * have already received an answer.
     */
    private record Lane(boolean isUrgent, boolean isKnown) {

        private static Lane of(Queued queued) {
            return new Lane(queued.due().why().isUrgent, queued.isKnown());
        }
    }

    /** An idle entry, and the time at which its counter can become dormant. */
    private record Idle(Entry entry, long nanos) {}

    /** The active and idle entries whose intervals have the same length. */
    private static final class Clockwork {
        private final long tickNanos;
        /** The active entries in no particular order. Each entry stores its own index. */
        private List<Entry> entries = new ArrayList<>();
        /**
         * The idle entries in the order of their next check. Each entry is listed once. Some of these entries might
         * have become active again.
         */
        private final Deque<Idle> idle = new ArrayDeque<>();

        private long nextNanos;
        private int ticks;

        private Clockwork(long everyMillis, long now) {
            this.tickNanos = Math.max(1, everyMillis * 1_000_000 / TICKS_PER_INTERVAL);
            this.nextNanos = now + tickNanos;
        }

        private void add(Entry entry) {
            if (entry.tickIndex < 0) {
                entry.tickIndex = entries.size();
                entries.add(entry);
            }
        }

        private boolean remove(Entry entry) {
            if (entry.tickIndex < 0) {
                return false;
            }
            Entry last = entries.remove(entries.size() - 1);
            if (last != entry) {
                entries.set(entry.tickIndex, last);
                last.tickIndex = entry.tickIndex;
            }
            entry.tickIndex = -1;
            if (entries.isEmpty()) {
                entries = new ArrayList<>(); // drops an array that might have become very large
            }
            return true;
        }

        private void listIdle(Entry entry, long nanos) {
            if (!entry.isListedIdle) {
                entry.isListedIdle = true;
                idle.addLast(new Idle(entry, nanos));
            }
        }
    }

    private NavigableSet<Queued> lane(Lane lane) {
        return lanes.computeIfAbsent(lane, empty -> new TreeSet<>(FIRST_DUE_FIRST));
    }

    /**
     * Moves an entry to the position that its account determines. Call this method after every event that affects an
     * entry.
     */
    void update(Entry entry, Moment now) {
        Due due = entry.account().due();
        boolean isKnown = entry.account().known().isAnswered();
        Queued before = entry.queued;
        if (before != null && !(before.due().equals(due) && before.isKnown() == isKnown)) {
            lane(Lane.of(before)).remove(before);
            entry.queued = null;
        }
        if (due != null && entry.queued == null) {
            Queued next = new Queued(entry, due, isKnown, arrivals++);
            lane(Lane.of(next)).add(next);
            entry.queued = next;
        }
        if (entry.isActive()) {
            clockwork(entry, now).add(entry);
        } else if (clockwork(entry, now).remove(entry) && !entry.isClosed()) {
            becomesIdle(entry, now);
        }
    }

    /**
     * Lists an idle entry, because its counter can become dormant one lease after the last call. Only counters with
     * windows can become dormant, because only their usage can be stored as a single number.
     */
    private void becomesIdle(Entry entry, Moment now) {
        if (entry.terms().endMillis() != Window.FOR_EVER) {
            clockwork(entry, now).listIdle(entry, Dormancy.earliestNanos(entry.account()));
        }
    }

    private Clockwork clockwork(Entry entry, Moment now) {
        return clockworks.computeIfAbsent(entry.terms().everyMillis(), every -> new Clockwork(every, now.nanos()));
    }

    /**
     * Removes and returns up to the given number of idle entries that have received no calls for at least the length of
     * a lease.
     */
    List<Entry> takeLongIdle(int most, Moment now) {
        List<Entry> taken = new ArrayList<>();
        for (Clockwork works : clockworks.values()) {
            Idle first = works.idle.peekFirst();
            while (first != null && taken.size() < most && (first.entry.isActive() || now.nanos() - first.nanos >= 0)) {
                works.idle.removeFirst();
                first.entry.isListedIdle = false;
                if (!first.entry.isActive() && !first.entry.isClosed()) {
                    long dormantNanos = Dormancy.earliestNanos(first.entry.account());
                    if (now.nanos() - dormantNanos >= 0) {
                        taken.add(first.entry);
                    } else {
                        works.listIdle(first.entry, dormantNanos); // a call has arrived since then
                    }
                }
                first = works.idle.peekFirst();
            }
        }
        return taken;
    }

    /**
     * Lists an idle entry again because its counter cannot become dormant yet. The entry is checked again after a
     * further lease.
     */
    void staysIdle(Entry entry, Moment now) {
        long lease = entry.terms().leaseMillis() * 1_000_000;
        clockwork(entry, now).listIdle(entry, now.nanos() + lease);
    }

    /**
     * Calls {@code look} for the entries that are due for a tick. The second argument of {@code look} indicates
     * whether an interval ends with this tick.
     */
    void tick(Moment now, BiConsumer<Entry, Boolean> look) {
        for (Clockwork works : clockworks.values()) {
            long late = now.nanos() - works.nextNanos;
            if (late >= 0) {
                works.nextNanos += works.tickNanos * (late / works.tickNanos + 1);
                works.ticks++;
                boolean intervalEnds = works.ticks % TICKS_PER_INTERVAL == 0;
                for (Entry entry : List.copyOf(works.entries)) {
                    look.accept(entry, intervalEnds);
                }
            }
        }
    }

    /** Returns the time of the next tick; {@link Long#MAX_VALUE} if no entry is active. */
    long nextTickNanos() {
        return clockworks.values().stream()
                .filter(works -> !works.entries.isEmpty())
                .mapToLong(works -> works.nextNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns the active entries if there are at most {@code most} of them; otherwise an empty list. */
    List<Entry> activeIfFew(int most) {
        List<Entry> few = clockworks.values().stream()
                .flatMap(works -> works.entries.stream())
                .limit(most + 1L)
                .toList();
        return few.size() <= most ? few : List.of();
    }

    /** Returns when the next urgent statement after the given time is due; {@link Long#MAX_VALUE} if there is none. */
    long nextUrgentNanos(long after) {
        return lanes(true)
                .flatMap(lane -> lane.stream()
                        .filter(queued -> queued.due().nanos() > after)
                        .limit(1))
                .mapToLong(queued -> queued.due().nanos())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Returns the number of entries with an urgent statement to send. If {@code isUrgent} is false, returns the number
     * of entries with a statement that is not urgent.
     */
    int size(boolean isUrgent) {
        return lanes(isUrgent).mapToInt(Set::size).sum();
    }

    /**
     * Returns all entries with an urgent statement to send, ordered by due time. If {@code isUrgent} is false, returns
     * the entries with a statement that is not urgent.
     */
    Stream<Entry> all(boolean isUrgent) {
        return lanes(isUrgent).flatMap(Set::stream).sorted(FIRST_DUE_FIRST).map(Queued::entry);
    }

    private Stream<NavigableSet<Queued>> lanes(boolean isUrgent) {
        return Stream.of(lane(new Lane(isUrgent, true)), lane(new Lane(isUrgent, false)));
    }

    /** Visits up to the given number of entries in one lane. Skips entries whose statements cannot be made now. */
    void visit(
            boolean isUrgent, boolean isKnown, Moment now, int most, Predicate<Entry> ready, Consumer<Entry> visitor) {
        lane(new Lane(isUrgent, isKnown)).stream()
                .takeWhile(queued -> queued.due().nanos() <= now.nanos())
                .map(Queued::entry)
                .filter(ready)
                .limit(Math.max(0, most))
                .toList()
                .forEach(visitor);
    }
}
