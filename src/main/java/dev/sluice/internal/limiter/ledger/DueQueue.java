package dev.sluice.internal.limiter.ledger;

import dev.sluice.internal.limiter.account.Due;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Rest;
import dev.sluice.internal.limiter.ledger.Entry.Place;
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
 * When to check entries, and when to send their statements. Each entry is queued once, at the place that its account's
 * {@link Due} says. Active entries are checked four times an interval. Not thread-safe.
 */
final class DueQueue {

    private static final int TICKS = 4;

    private static final Comparator<Place> FIRST_DUE_FIRST =
            Comparator.<Place>comparingLong(place -> place.due().nanos()).thenComparingLong(Place::arrival);

    private final Map<Lane, NavigableSet<Place>> lanes = new HashMap<>();
    private final Map<Long, Clockwork> clockworks = new HashMap<>();
    private long arrivals;

    /** Urgent statements and others, each for entries that the store knows and for newcomers. */
    private record Lane(boolean isUrgent, boolean isKnown) {

        private static Lane of(Place place) {
            return new Lane(place.due().why().isUrgent, place.isKnown());
        }
    }

    /** The active entries with intervals of one length. */
    private static final class Clockwork {
        private final long tickNanos;
        /** In any order; each entry knows its index. */
        private final List<Entry> entries = new ArrayList<>();
        /** Entries in the order in which they became idle, until their counters can rest. Some may be active again. */
        private final Deque<Entry> idle = new ArrayDeque<>();

        private long nextNanos;
        private int ticks;

        private Clockwork(long everyMillis, long now) {
            this.tickNanos = Math.max(1, everyMillis * 1_000_000 / TICKS);
            this.nextNanos = now + tickNanos;
        }

        private void add(Entry entry) {
            if (entry.tickPlace < 0) {
                entry.tickPlace = entries.size();
                entries.add(entry);
            }
        }

        private boolean remove(Entry entry) {
            if (entry.tickPlace < 0) {
                return false;
            }
            Entry last = entries.remove(entries.size() - 1);
            if (last != entry) {
                entries.set(entry.tickPlace, last);
                last.tickPlace = entry.tickPlace;
            }
            entry.tickPlace = -1;
            return true;
        }
    }

    private NavigableSet<Place> places(Lane lane) {
        return lanes.computeIfAbsent(lane, empty -> new TreeSet<>(FIRST_DUE_FIRST));
    }

    /** Moves an entry to the place that its account says. Call this after every event of an entry. */
    void place(Entry entry, Moment now) {
        Due due = entry.account().due();
        boolean isKnown = entry.account().known().isAnswered();
        Place before = entry.place;
        if (before != null && !(before.due().equals(due) && before.isKnown() == isKnown)) {
            places(Lane.of(before)).remove(before);
            entry.place = null;
        }
        if (due != null && entry.place == null) {
            Place next = new Place(entry, due, isKnown, arrivals++);
            places(Lane.of(next)).add(next);
            entry.place = next;
        }
        if (entry.isActive()) {
            clockwork(entry, now).add(entry);
        } else if (clockwork(entry, now).remove(entry) && !entry.isClosed()) {
            staysIdle(entry, now);
        }
    }

    private Clockwork clockwork(Entry entry, Moment now) {
        return clockworks.computeIfAbsent(entry.terms().everyMillis(), every -> new Clockwork(every, now.nanos()));
    }

    /** Removes and returns idle entries that nobody has called for a lease, up to this many. */
    List<Entry> takeLongIdle(int most, Moment now) {
        List<Entry> taken = new ArrayList<>();
        for (Clockwork works : clockworks.values()) {
            Entry first = works.idle.peekFirst();
            while (first != null && taken.size() < most && (first.isActive() || Rest.isTime(first.account(), now))) {
                works.idle.removeFirst();
                if (!first.isActive() && !first.isClosed()) {
                    taken.add(first);
                }
                first = works.idle.peekFirst();
            }
        }
        return taken;
    }

    /** Keeps an idle entry whose counter cannot rest yet. */
    void staysIdle(Entry entry, Moment now) {
        clockwork(entry, now).idle.addLast(entry);
    }

    /** Looks at the entries whose tick has come, and tells whether an interval ends with this tick. */
    void tick(Moment now, BiConsumer<Entry, Boolean> look) {
        for (Clockwork works : clockworks.values()) {
            long late = now.nanos() - works.nextNanos;
            if (late >= 0) {
                works.nextNanos += works.tickNanos * (late / works.tickNanos + 1);
                works.ticks++;
                boolean intervalEnds = works.ticks % TICKS == 0;
                for (Entry entry : List.copyOf(works.entries)) {
                    look.accept(entry, intervalEnds);
                }
            }
        }
    }

    /** {@link Long#MAX_VALUE} if no entry is active. */
    long nextTickNanos() {
        return clockworks.values().stream()
                .filter(works -> !works.entries.isEmpty())
                .mapToLong(works -> works.nextNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The active entries if there are at most this many; otherwise none. */
    List<Entry> activeIfFew(int most) {
        List<Entry> few = clockworks.values().stream()
                .flatMap(works -> works.entries.stream())
                .limit(most + 1L)
                .toList();
        return few.size() <= most ? few : List.of();
    }

    /** When the next urgent statement is due after this time; {@link Long#MAX_VALUE} if there is none. */
    long nextUrgentNanos(long after) {
        return lanes(true)
                .flatMap(places -> places.stream()
                        .filter(place -> place.due().nanos() > after)
                        .limit(1))
                .mapToLong(place -> place.due().nanos())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** How many entries have an urgent statement to send; or how many have one that is not urgent. */
    int size(boolean isUrgent) {
        return lanes(isUrgent).mapToInt(Set::size).sum();
    }

    /** All entries that have an urgent statement to send, or all that have another one, first due first. */
    Stream<Entry> all(boolean isUrgent) {
        return lanes(isUrgent).flatMap(Set::stream).sorted(FIRST_DUE_FIRST).map(Place::entry);
    }

    private Stream<NavigableSet<Place>> lanes(boolean isUrgent) {
        return Stream.of(places(new Lane(isUrgent, true)), places(new Lane(isUrgent, false)));
    }

    /** Visits the entries of one lane whose statements can be made now, up to this many. */
    void visit(
            boolean isUrgent, boolean isKnown, Moment now, int most, Predicate<Entry> ready, Consumer<Entry> visitor) {
        places(new Lane(isUrgent, isKnown)).stream()
                .takeWhile(place -> place.due().nanos() <= now.nanos())
                .map(Place::entry)
                .filter(ready)
                .limit(Math.max(0, most))
                .toList()
                .forEach(visitor);
    }
}
