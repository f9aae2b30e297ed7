package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORTS_KEPT_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORTS_RECENT_MILLIS;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Terms;
import dev.sluice.internal.limiter.counter.CompiledLimit;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.limiter.shared.CounterHistory;
import dev.sluice.internal.limiter.shared.DormantWindow;
import dev.sluice.internal.limiter.shared.SharedWindows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines what has to be reported again to a store that has lost counts. This class remembers recent batches,
 * because a store that falls back to a lagging replica or a snapshot might lack some of them. If a counter has an
 * entry, the entry reports again. For other counters, such as those of earlier frames, this class creates separate
 * statements. Not thread-safe.
 */
final class LossRecovery {

    private static final int MOST_REPORTS = 100_000;
    private static final int MOST_OLD_REPORTS = 10_000;

    /**
     * The maximum number of timestamps in one statement that restores uses. It limits the size of the request that the
     * store and its proxies have to handle. The store cannot split a statement itself, because a batch that is sent
     * again has to be identical. Therefore, any further timestamps are sent in later batches.
     */
    static final int MOST_TIMES = 1_000;

    /** The maximum number of timestamps that one batch restores, excluding the statements of entries. */
    static final int MOST_TIMES_OF_A_BATCH = 10_000;

    private final Deque<Applied> applied = new ArrayDeque<>();
    private int reports;
    /**
     * Statements for counters without an entry. These statements might remain in this map for several batches, so their
     * times are stored as if the statements had been sent in 1970.
     */
    private final Map<CounterKey, Statement> orphans = new LinkedHashMap<>();

    /** The reports of one applied batch. There can be very many reports, so most are stored compactly. */
    static final class Applied {

        private final long sequence;
        private final long sentMillis;
        private final List<List<Subject>> subjects;
        private final List<Terms> terms;
        private final long[] used;
        private final List<Statement> others = new ArrayList<>(0);

        Applied(Batch batch, long sentMillis) {
            int most = batch.statements().size();
            this.sequence = batch.sequence();
            this.sentMillis = sentMillis;
            this.subjects = new ArrayList<>(most);
            this.terms = new ArrayList<>(most);
            this.used = new long[most];
        }

        /** Adds a report. Permits that waiting calls used immediately are considered reported. */
        void add(@Nullable Entry entry, Statement statement, Grant grant) {
            long usedAtOnce = statement.needed().usedOf(grant.granted());
            if (entry != null && entry.terms().onlyAddsUp()) {
                used[terms.size()] = statement.used() + usedAtOnce;
                subjects.add(entry.pool.subjects());
                terms.add(entry.terms());
            } else {
                List<Use> atOnce = usedAtOnce == 0 ? List.of() : List.of(new Use(0, usedAtOnce));
                others.add(statement.reportOnly(joined(statement.uses(), atOnce)));
            }
        }

        private int size() {
            return terms.size() + others.size();
        }

        /** Removes and returns the reports for all lost counters. */
        private List<Statement> take(Predicate<CounterKey> isLost) {
            List<Statement> taken = new ArrayList<>();
            int kept = 0;
            for (int i = 0; i < terms.size(); i++) {
                CounterKey key = terms.get(i).key(subjects.get(i));
                if (isLost.test(key)) {
                    taken.add(used(key, used[i], terms.get(i)));
                } else {
                    terms.set(kept, terms.get(i));
                    subjects.set(kept, subjects.get(i));
                    used[kept++] = used[i];
                }
            }
            terms.subList(kept, terms.size()).clear();
            subjects.subList(kept, subjects.size()).clear();
            others.removeIf(statement -> isLost.test(statement.key()) && taken.add(statement));
            return taken;
        }
    }

    /** Handles the entries whose statements the store has lost. */
    interface Lost {
        /**
         * Handles the loss of an entry's statements.
         *
         * @param statement the statement that the store has lost; {@code null} if it has lost all statements
         */
        void of(Entry entry, @Nullable Statement statement, long sentMillis);
    }

    void remember(Applied last) {
        applied.addLast(last);
        reports += last.size();
        while (!applied.isEmpty() && isForgotten(last.sentMillis - applied.getFirst().sentMillis)) {
            reports -= applied.removeFirst().size();
        }
    }

    /** Whether to forget the oldest batch, based on its age. */
    private boolean isForgotten(long ageMillis) {
        return ageMillis > REPORTS_KEPT_MILLIS
                || reports > MOST_REPORTS
                || (ageMillis > REPORTS_RECENT_MILLIS && reports > MOST_OLD_REPORTS);
    }

    /**
     * Handles reports that the store has lost. Informs the affected entries, and stores statements for counters without
     * an entry.
     */
    void lost(List<Loss> losses, Entries entries, Moment now, Lost lost) {
        Map<Integer, Long> kept = new HashMap<>();
        losses.forEach(loss -> kept.merge(loss.shard(), loss.afterSequence(), Math::min));
        if (kept.containsValue(0L)) {
            lostAll(key -> lastKept(key, kept) == 0, entries, now, lost);
        }
        if (kept.values().stream().anyMatch(sequence -> sequence != 0)) {
            applied.forEach(sent -> lostSince(sent, kept, entries, now, lost));
        }
    }

    /**
     * Returns the sequence number of the latest batch that the store still has for the given counter; 0 if it has none.
     */
    private static long lastKept(CounterKey key, Map<Integer, Long> kept) {
        return Math.min(
                kept.getOrDefault(Loss.ALL_SHARDS, Long.MAX_VALUE), kept.getOrDefault(key.shard(), Long.MAX_VALUE));
    }

    /**
     * Handles the loss of all batches after the latest one that the store still has. Reports that are sent again are
     * remembered only as part of their new batch. Otherwise, they would be sent twice if the store fell back to the
     * same snapshot again.
     */
    private void lostSince(Applied sent, Map<Integer, Long> kept, Entries entries, Moment now, Lost lost) {
        List<Statement> all = sent.take(key -> {
            long lastKept = lastKept(key, kept);
            return lastKept != 0 && sent.sequence > lastKept;
        });
        reports -= all.size();
        for (Statement statement : all) {
            CounterKey key = statement.key();
            if (TimeToLive.USUAL.isTooLate(key, statement.rule(), now.millis())) {
                continue;
            }
            Entry entry = entries.latest(key);
            if (entry != null) {
                lost.of(entry, statement, sent.sentMillis);
            } else {
                addOrphan(statement, sent.sentMillis);
            }
        }
    }

    private void lostAll(Predicate<CounterKey> isLost, Entries entries, Moment now, Lost lost) {
        List<Entry> all = entries.all();
        all.stream().filter(entry -> isLost.test(entry.key())).forEach(entry -> lost.of(entry, null, 0));
        Stream.concat(
                        all.stream().flatMap(entry -> framesBefore(entry.pool, entry.terms())),
                        entries.dormant().stream().flatMap(LossRecovery::reports))
                .filter(statement -> isLost.test(statement.key())
                        && entries.latest(statement.key()) == null
                        && !TimeToLive.USUAL.isTooLate(statement.key(), statement.rule(), now.millis()))
                .forEach(statement -> {
                    orphans.remove(statement.key()); // the new statement includes earlier losses
                    addOrphan(statement, now.millis());
                });
    }

    /** Returns statements that report the use of a dormant counter again. */
    private static Stream<Statement> reports(DormantWindow kept) {
        Terms terms = Terms.of(kept, SharedLimits.of(kept.counter.family.tier, kept.start(), kept.end()));
        return Stream.concat(
                Stream.of(used(kept.counter.keyAt(kept.start()), kept.reported, terms)), framesBefore(kept, terms));
    }

    /** Returns statements that report this instance's use of earlier frames again. */
    private static Stream<Statement> framesBefore(Window window, Terms terms) {
        CompiledLimit limit = window.counter.family.compiledLimit;
        CounterHistory history = SharedWindows.of(window.counter).history;
        return IntStream.rangeClosed(1, limit.frames)
                .mapToLong(frame -> window.start() - frame * limit.lengthMillis)
                .filter(start -> history.ownFrames.at(start) > 0)
                .mapToObj(start -> used(window.counter.keyAt(start), history.ownFrames.at(start), terms));
    }

    private static Statement used(CounterKey key, long used, Terms terms) {
        return new Statement(
                key,
                used == 0 ? List.of() : List.of(new Use(0, used)),
                0,
                Need.NONE,
                0,
                terms.leaseMillis(),
                terms.limit().rule());
    }

    /**
     * Combines two statements. Some rules require the timestamps of both statements. For all other rules, the uses are
     * added up.
     */
    private static Statement joined(Statement one, Statement other) {
        boolean isTimed = one.rule() instanceof Rule.Bucket || one.rule() instanceof Rule.Log;
        List<Use> all = joined(one.uses(), other.uses());
        long latest = all.stream().mapToLong(Use::agoMillis).min().orElse(0);
        return one.reportOnly(isTimed ? all : List.of(new Use(latest, one.used() + other.used())));
    }

    private static List<Use> joined(List<Use> some, List<Use> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /**
     * Stores a statement for a counter without an entry; {@code sentMillis} is the time when the statement was sent.
     */
    void addOrphan(Statement statement, long sentMillis) {
        orphans.merge(statement.key(), statement.sentLater(-sentMillis), LossRecovery::joined);
    }

    boolean isAnyOrphan() {
        return !orphans.isEmpty();
    }

    /** Removes and returns the stored statement of a counter that now has an entry; {@code null} if there is none. */
    @Nullable Statement removeOrphan(CounterKey key, long nowMillis) {
        Statement orphan = orphans.remove(key);
        return orphan == null ? null : orphan.sentLater(nowMillis);
    }

    /**
     * Removes and returns up to the given number of statements for counters without an entry. If a statement has too
     * many timestamps, only the first ones are sent now.
     */
    List<Statement> takeOrphans(int most, long nowMillis) {
        List<Statement> taken = new ArrayList<>();
        int room = MOST_TIMES_OF_A_BATCH;
        Iterator<Map.Entry<CounterKey, Statement>> remaining =
                orphans.entrySet().iterator();
        while (remaining.hasNext() && taken.size() < most && room > 0) {
            Map.Entry<CounterKey, Statement> next = remaining.next();
            Statement whole = next.getValue();
            int times = Math.min(whole.uses().size(), Math.min(MOST_TIMES, room));
            room -= times;
            taken.add(whole.reportOnly(whole.uses().subList(0, times)).sentLater(nowMillis));
            if (times == whole.uses().size()) {
                remaining.remove();
            } else {
                next.setValue(whole.reportOnly(
                        whole.uses().subList(times, whole.uses().size())));
            }
        }
        return taken;
    }
}
