package dev.sluice.limiter.ledger;

import dev.sluice.limiter.account.Due;
import dev.sluice.limiter.account.Moment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * When entries are to be looked at, and when their statements are to be sent: each entry once, where its account's
 * {@link Due} says. Active entries are looked at four times an interval. Not thread-safe.
 */
final class DueQueue {

    private static final int TICKS = 4;

    private static final Comparator<Entry> FIRST_DUE_FIRST =
            Comparator.<Entry>comparingLong(entry -> due(entry).nanos()).thenComparingLong(entry -> entry.arrival);

    /** Entries whose statements may go at once, and others; those that the store knows, and newcomers. */
    private final Lane urgent = new Lane();

    private final Lane patient = new Lane();
    private final Map<Long, Clockwork> active = new HashMap<>();
    private long arrivals;

    private static final class Lane {
        private final NavigableSet<Entry> known = new TreeSet<>(FIRST_DUE_FIRST);
        private final NavigableSet<Entry> newcomers = new TreeSet<>(FIRST_DUE_FIRST);

        private NavigableSet<Entry> of(boolean isKnown) {
            return isKnown ? known : newcomers;
        }
    }

    /** The active entries with intervals of one length. */
    private static final class Clockwork {
        private final long tickNanos;
        private final Set<Entry> entries = new LinkedHashSet<>();
        private long nextNanos;
        private int ticks;

        private Clockwork(long everyMillis, long now) {
            this.tickNanos = Math.max(1, everyMillis * 1_000_000 / TICKS);
            this.nextNanos = now + tickNanos;
        }
    }

    private static Due due(Entry entry) {
        return Objects.requireNonNull(entry.queuedFor);
    }

    private Lane lane(Due due) {
        return due.why().isUrgent ? urgent : patient;
    }

    /** Puts an entry where its account says, after anything has happened to it. */
    void place(Entry entry, Moment now) {
        Due due = entry.account().due();
        boolean isKnown = entry.account().known().isAnswered();
        Due before = entry.queuedFor;
        if (!Objects.equals(due, before) || isKnown != entry.queuedAsKnown) {
            if (before != null) {
                lane(before).of(entry.queuedAsKnown).remove(entry);
            }
            entry.queuedFor = due;
            entry.queuedAsKnown = isKnown;
            if (due != null) {
                entry.arrival = arrivals++;
                lane(due).of(isKnown).add(entry);
            }
        }
        if (entry.isActive()) {
            active.computeIfAbsent(entry.terms.everyMillis(), every -> new Clockwork(every, now.nanos()))
                    .entries
                    .add(entry);
        } else {
            Clockwork works = active.get(entry.terms.everyMillis());
            if (works != null) {
                works.entries.remove(entry);
            }
        }
    }

    /**
     * Looks at the entries whose tick has come.
     *
     * @param look receives an entry, and whether an interval ends with this tick
     */
    void tick(Moment now, BiConsumer<Entry, Boolean> look) {
        for (Clockwork works : active.values()) {
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

    /** When the next tick is; {@link Long#MAX_VALUE} if no entry is active. */
    long nextTickNanos() {
        return active.values().stream()
                .filter(works -> !works.entries.isEmpty())
                .mapToLong(works -> works.nextNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The active entries, if they are at most this many; otherwise none. */
    List<Entry> activeIfFew(int most) {
        List<Entry> few = active.values().stream()
                .flatMap(works -> works.entries.stream())
                .limit(most + 1L)
                .toList();
        return few.size() <= most ? few : List.of();
    }

    /** The first time after this one at which an urgent statement can be made; {@link Long#MAX_VALUE} if there is none. */
    long nextUrgentNanos(long after) {
        return Stream.of(urgent.known, urgent.newcomers)
                .flatMap(lane -> lane.stream()
                        .filter(entry -> due(entry).nanos() > after)
                        .limit(1))
                .mapToLong(entry -> due(entry).nanos())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** How many entries have a statement to send that is urgent, or one that is not. */
    int size(boolean isUrgent) {
        Lane lane = isUrgent ? urgent : patient;
        return lane.known.size() + lane.newcomers.size();
    }

    /** All entries with a statement to send that is urgent, or with one that is not, by when they are due. */
    Stream<Entry> all(boolean isUrgent) {
        Lane lane = isUrgent ? urgent : patient;
        return Stream.concat(lane.known.stream(), lane.newcomers.stream()).sorted(FIRST_DUE_FIRST);
    }

    /** Visits entries of one lane whose statements can be made now, up to this many. */
    void visit(
            boolean isUrgent, boolean isKnown, Moment now, int most, Predicate<Entry> ready, Consumer<Entry> visitor) {
        (isUrgent ? urgent : patient)
                .of(isKnown).stream()
                        .takeWhile(entry -> due(entry).nanos() <= now.nanos())
                        .filter(ready)
                        .limit(Math.max(0, most))
                        .toList()
                        .forEach(visitor);
    }
}
