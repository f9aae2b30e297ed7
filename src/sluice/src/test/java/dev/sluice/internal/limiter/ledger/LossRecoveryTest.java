package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.ledger.PlayedLedger.START;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.moment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

class LossRecoveryTest {

    private final PlayedLedger pools = new PlayedLedger();
    private final Entries entries = new Entries(new Dispatcher(new DueQueue(), NOPLogger.NOP_LOGGER));
    private final LossRecovery recovery = new LossRecovery();

    /** What was lost of entries, such as {@code a: used 3, sent at 7}, or {@code a: all}. */
    private final List<String> lost = new ArrayList<>();

    private Entry entry(String name) {
        Entry entry = PlayedLedger.entry(pools.pool(name), moment(0));
        entries.add(entry);
        return entry;
    }

    private CounterKey key(String name) {
        SharedPool pool = pools.pool(name);
        return pool.counter.keyAt(pool.start());
    }

    private static Statement statement(CounterKey key, long used, Need needed) {
        return new Statement(key, List.of(new Use(5, used)), 7, needed, 9, 5_000, new Rule.Total(1_000));
    }

    private Statement used(String name, long used) {
        return statement(key(name), used, Need.NONE);
    }

    private LossRecovery applied(long sequence, long sentAt, long granted, Statement... statements) {
        LossRecovery.Applied applied =
                new LossRecovery.Applied(new Batch("me", sequence, List.of(statements)), START + sentAt);
        for (Statement statement : statements) {
            applied.add(entries.latest(statement.key()), statement, new Grant(0, granted, 0));
        }
        recovery.remember(applied);
        return recovery;
    }

    private void loses(Loss loss, long now) {
        loses(List.of(loss), now);
    }

    private void loses(List<Loss> losses, long now) {
        recovery.lost(
                losses,
                entries,
                moment(now),
                (entry, statement, sentMillis) -> lost.add(name(entry.key())
                        + (statement == null
                                ? ": all"
                                : ": used " + statement.used() + ", sent at " + (sentMillis - START))));
    }

    private void losesAfter(long sequence, long now) {
        loses(new Loss(Loss.ALL_SHARDS, sequence), now);
    }

    private static String name(CounterKey key) {
        return key.subjects().get(0).value();
    }

    private List<Statement> orphans() {
        return recovery.takeOrphans(Integer.MAX_VALUE, START + 40);
    }

    @Nested
    class AfterABatch {

        @Test
        void onlyLaterStatementsAreLost() {
            entry("a");
            applied(1, 10, 0, used("a", 1));
            applied(2, 20, 0, used("a", 2));
            applied(3, 30, 0, used("a", 3));
            losesAfter(1, 40);
            assertThat(lost).containsExactly("a: used 2, sent at 20", "a: used 3, sent at 30");
            assertThat(recovery.isAnyOrphan()).isFalse();
        }

        /** Batch 4 reports again what was lost; it is remembered, and batches 2 and 3 are not, or they would count twice. */
        @Test
        void nothingIsLostTwiceIfTheStoreFallsBackToTheSameSnapshotAgain() {
            entry("a");
            applied(1, 10, 0, used("a", 1));
            applied(2, 20, 0, used("a", 2), used("gone", 4));
            applied(3, 30, 0, used("a", 3));
            losesAfter(1, 40);
            lost.clear();
            assertThat(orphans()).extracting(Statement::used).containsExactly(4L);

            applied(4, 50, 0, used("a", 5), used("gone", 4));
            losesAfter(1, 60);
            assertThat(lost).containsExactly("a: used 5, sent at 50");
            assertThat(orphans()).extracting(Statement::used).containsExactly(4L);
        }

        @Test
        void nothingIsLostIfTheStoreHasTheLastOne() {
            entry("a");
            applied(1, 10, 0, used("a", 1));
            losesAfter(1, 40);
            assertThat(lost).isEmpty();
        }

        @Test
        void grantsThatWaitingCallsUsedAtOnceAreLostToo() {
            entry("a");
            entry("b");
            applied(
                    2,
                    10,
                    3,
                    statement(key("a"), 1, new Need(5, 1, true)),
                    statement(key("b"), 1, new Need(5, 1, false)));
            losesAfter(1, 40);
            assertThat(lost).containsExactly("a: used 4, sent at 10", "b: used 1, sent at 10");
        }

        @Test
        void otherShardsHaveLostNothing() {
            entry("a");
            entry("b");
            applied(2, 10, 0, used("a", 1), used("b", 2));
            assertThat(key("a").shard()).isNotEqualTo(key("b").shard());
            loses(new Loss(key("b").shard(), 1), 40);
            assertThat(lost).containsExactly("b: used 2, sent at 10");
        }

        @Test
        void eachShardHasLostWhatItSays() {
            List.of("a", "b", "d").forEach(LossRecoveryTest.this::entry);
            applied(1, 10, 0, used("a", 1), used("b", 2), used("d", 3));
            applied(2, 20, 0, used("a", 4), used("b", 5), used("d", 6));
            assertThat(Set.of(key("a").shard(), key("b").shard(), key("d").shard()))
                    .hasSize(3);
            loses(List.of(new Loss(key("a").shard(), 0), new Loss(key("b").shard(), 1)), 40);
            assertThat(lost).containsExactly("a: all", "b: used 5, sent at 20");
        }

        @Test
        void theLatestEntryOfACounterReportsAgain() {
            entry("a");
            Entry latest = entry("a");
            applied(2, 10, 0, used("a", 1));
            List<Entry> told = new ArrayList<>();
            recovery.lost(
                    List.of(new Loss(Loss.ALL_SHARDS, 1)),
                    entries,
                    moment(9),
                    (entry, statement, sent) -> told.add(entry));
            assertThat(told).containsExactly(latest);
        }
    }

    @Nested
    class CountersWithoutAnEntry {

        @Test
        void areReportedAgainForWhatTheyUsedAndForNothingElse() {
            applied(2, 10, 0, used("a", 4));
            losesAfter(1, 40);
            assertThat(recovery.isAnyOrphan()).isTrue();
            assertThat(orphans())
                    .containsExactly(new Statement(
                            key("a"), List.of(new Use(35, 4)), 0, Need.NONE, 0, 5_000, new Rule.Total(1_000)));
            assertThat(recovery.isAnyOrphan()).isFalse();
        }

        @Test
        void areReportedAgainIfTheirEntryIsGoneMeanwhile() {
            Entry gone = PlayedLedger.entry(pools.pool("a"), moment(0));
            Statement statement = statement(key("a"), 1, new Need(3, 1, true));
            LossRecovery.Applied applied = new LossRecovery.Applied(new Batch("me", 2, List.of(statement)), START + 10);
            applied.add(gone, statement, new Grant(0, 3, 0));
            recovery.remember(applied);
            losesAfter(1, 40);
            assertThat(orphans()).singleElement().satisfies(again -> {
                assertThat(again.key()).isEqualTo(key("a"));
                assertThat(again.uses()).containsExactly(new Use(30, 4));
                assertThat(again.rule()).isEqualTo(gone.terms().limit().rule());
                assertThat(again.held() + again.needed().all() + again.wanted()).isZero();
            });
        }

        @Test
        void areReportedByOneStatementEach() {
            applied(2, 10, 0, used("a", 4), used("b", 1));
            applied(3, 20, 0, used("a", 5));
            losesAfter(1, 40);
            List<Statement> orphans = orphans();
            assertThat(orphans).extracting(statement -> name(statement.key())).containsExactly("a", "b");
            assertThat(orphans.get(0).uses()).containsExactly(new Use(25, 9));
        }

        @Test
        void areReportedByTheirEntryOnceTheyHaveOneAgain() {
            applied(2, 10, 0, used("a", 4), used("b", 1));
            losesAfter(1, 40);
            assertThat(recovery.removeOrphan(key("c"), START + 40)).isNull();
            Statement orphan = recovery.removeOrphan(key("a"), START + 40);
            assertThat(orphan).isNotNull().extracting(Statement::used).isEqualTo(4L);
            assertThat(orphans()).extracting(statement -> name(statement.key())).containsExactly("b");
        }

        @Test
        void areReportedInOrderAsFarAsABatchHasRoom() {
            applied(2, 10, 0, used("a", 1), used("b", 1), used("c", 1));
            losesAfter(1, 40);
            assertThat(recovery.takeOrphans(2, START + 40))
                    .extracting(statement -> name(statement.key()))
                    .containsExactly("a", "b");
            assertThat(orphans()).extracting(statement -> name(statement.key())).containsExactly("c");
        }
    }

    /** Of a log, each call has its time: after a loss, one statement had 500,000 of them, and its script took 25 s. */
    @Nested
    class LogsWithoutAnEntry {

        private final Rule.Log log = new Rule.Log(100_000, 3_600_000);

        private void calledSinceTheLastSnapshot(String name, int statements, int uses) {
            CounterKey key = key(name);
            for (int i = 1; i <= statements; i++) {
                List<Use> made =
                        IntStream.range(0, uses).mapToObj(at -> new Use(at, 3)).toList();
                applied(i, i * 1_000L, 0, new Statement(key, made, 0, Need.NONE, 0, 5_000, log));
            }
        }

        @Test
        void areReportedInSeveralBatchesByStatementsThatAreNotLong() {
            calledSinceTheLastSnapshot("a", 40, 100);
            losesAfter(1, 100_000);
            List<Use> reported = new ArrayList<>();
            for (long now = 100_000; recovery.isAnyOrphan(); now += 500) {
                Statement part = recovery.takeOrphans(1_000, START + now).get(0);
                assertThat(part.uses()).hasSizeLessThanOrEqualTo(LossRecovery.MOST_TIMES);
                long later = now - 100_000;
                part.uses().forEach(use -> reported.add(use.sentLater(-later)));
            }
            assertThat(reported)
                    .as("each call at its own time")
                    .hasSize(3_900)
                    .startsWith(new Use(98_000, 3), new Use(98_001, 3))
                    .endsWith(new Use(60_099, 3));
        }

        @Test
        void areReportedByBatchesThatAreNotLong() {
            for (int i = 0; i < 30; i++) {
                calledSinceTheLastSnapshot("log " + i, 9, 100);
            }
            recovery.lost(List.of(new Loss(Loss.ALL_SHARDS, 1)), entries, moment(100_000), (entry, lostNow, at) -> {});
            assertThat(recovery.takeOrphans(1_000, START + 100_000).stream()
                            .mapToInt(part -> part.uses().size())
                            .sum())
                    .isEqualTo(LossRecovery.MOST_TIMES_OF_A_BATCH);
            assertThat(recovery.takeOrphans(1_000, START + 100_000)).hasSizeBetween(12, 14);
            recovery.takeOrphans(1_000, START + 100_000);
            assertThat(recovery.isAnyOrphan()).isFalse();
        }
    }

    @Nested
    class All {

        @Test
        void entriesReportAllAgain() {
            entry("a");
            entry("b");
            applied(2, 10, 0, used("a", 4), used("gone", 1));
            losesAfter(0, 40);
            assertThat(lost).containsExactly("a: all", "b: all");
            assertThat(recovery.isAnyOrphan()).isFalse();
        }

        @Test
        void entriesOfOtherShardsDoNot() {
            entry("a");
            entry("b");
            loses(new Loss(key("b").shard(), 0), 40);
            assertThat(lost).containsExactly("b: all");
        }

        @Test
        void includesEarlierFramesThatStillCount() {
            Limit sliding = new Limit.SlidingWindow(1_000, Duration.ofSeconds(40), 4);
            SharedPool pool = pools.at(40_000).pool(sliding, "a");
            Entry entry = PlayedLedger.entry(pool, moment(40_000));
            entries.add(entry);
            pool.windows().history.ownFrames.set(START + 30_000, 3);
            pool.windows().history.ownFrames.set(START + 10_000, 5);
            losesAfter(0, 40_000);
            assertThat(lost).containsExactly("a: all");
            assertThat(orphans())
                    .extracting(statement -> statement.key().start() - START + ": " + statement.used())
                    .containsExactly("30000: 3", "10000: 5");
        }

        /** After an outage, frames that are over wait beside the present one, and all of them know the frame before. */
        @Test
        void includesAnEarlierFrameOnceHoweverManyEntriesKnowIt() {
            Limit sliding = new Limit.SlidingWindow(1_000, Duration.ofSeconds(40), 4);
            SharedPool over = pools.at(30_000).pool(sliding, "a");
            entries.add(PlayedLedger.entry(over, moment(30_000)));
            entries.add(PlayedLedger.entry(pools.at(40_000).current(over.counter), moment(40_000)));
            over.windows().history.ownFrames.set(START + 20_000, 10);
            losesAfter(0, 40_000);
            losesAfter(0, 40_010);
            assertThat(orphans())
                    .extracting(statement -> statement.key().start() - START + ": " + statement.used())
                    .containsExactly("20000: 10");
        }

        @Test
        void includesEarlierFramesOnceIfTheyHaveAnEntry() {
            Limit sliding = new Limit.SlidingWindow(1_000, Duration.ofSeconds(40), 4);
            SharedPool earlier = pools.at(30_000).pool(sliding, "a");
            entries.add(PlayedLedger.entry(earlier, moment(30_000)));
            SharedPool pool = pools.at(40_000).current(earlier.counter);
            entries.add(PlayedLedger.entry(pool, moment(40_000)));
            pool.windows().history.ownFrames.set(START + 30_000, 3);
            losesAfter(0, 40_000);
            assertThat(lost).containsExactly("a: all", "a: all");
            assertThat(recovery.isAnyOrphan()).isFalse();
        }
    }

    @Nested
    class Remembers {

        /** How many statements of each batch are still known. */
        private Map<String, Long> known() {
            List.of("a", "b", "c").forEach(LossRecoveryTest.this::entry);
            lost.clear();
            losesAfter(-1, 0);
            return lost.stream().collect(Collectors.groupingBy(what -> what.substring(0, 1), Collectors.counting()));
        }

        @Test
        void theBatchesOfAnHour() {
            applied(1, 0, 0, used("a", 1));
            applied(2, 1, 0, used("b", 2));
            applied(3, 3_700_001, 0, used("c", 3));
            assertThat(known()).containsOnlyKeys("b", "c");
        }

        @Test
        void tenThousandStatementsAfterTwelveSeconds() {
            Statement[] many = Collections.nCopies(10_000, used("a", 1)).toArray(Statement[]::new);
            applied(1, 0, 0, many);
            applied(2, 12_000, 0, used("b", 2));
            applied(3, 12_001, 0, used("c", 3));
            assertThat(known()).containsOnlyKeys("b", "c");
        }

        @Test
        void moreStatementsForTwelveSeconds() {
            Statement[] many = Collections.nCopies(10_000, used("a", 1)).toArray(Statement[]::new);
            applied(1, 0, 0, many);
            applied(2, 12_000, 0, used("b", 2));
            assertThat(known()).containsOnlyKeys("a", "b");
        }

        @Test
        void aHundredThousandStatements() {
            Statement[] most = Collections.nCopies(60_000, used("a", 1)).toArray(Statement[]::new);
            Statement[] remaining = Collections.nCopies(40_000, used("b", 1)).toArray(Statement[]::new);
            applied(1, 0, 0, most);
            applied(2, 1, 0, remaining);
            assertThat(known()).containsExactly(Map.entry("a", 60_000L), Map.entry("b", 40_000L));
            applied(3, 2, 0, most);
            applied(4, 3, 0, remaining);
            applied(5, 4, 0, used("c", 3));
            assertThat(known()).containsExactly(Map.entry("b", 40_000L), Map.entry("c", 1L));
        }
    }
}
