package dev.sluice.cell;

import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.cell.CellState.Waiting;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a statement changes in a counter, to the millisecond and the permit. */
class CellTest {

    private static final long NOW = 1_000_000;
    private static final long GRACE = 2_000;
    private static final Gcra GCRA = Gcra.of(7, 3_000, 12);
    private static final Rule FIVE = new Rule.Total(5);
    private static final Rule FRAME = new Rule.Frame(5, 1);
    private static final Rule BUCKET = new Rule.Bucket(GCRA.token(), GCRA.milli(), GCRA.depth(), GCRA.furthest());
    private static final Rule LOG = new Rule.Log(5, 5_000);

    private final CounterKey key = key("orders", "acme", NOW, NOW + 10_000);

    static List<Rule> rules() {
        return List.of(FIVE, BUCKET, LOG, slots(0));
    }

    private static Rule slots(long inUse) {
        return new Rule.Slots(5, inUse, 0, Long.MAX_VALUE);
    }

    private Asked statement(Rule rule) {
        return statementOf(key, rule);
    }

    private static Grant apply(
            Cell cell, String instance, Statement statement, List<Cell> before, ExchangeNews news, long nowMillis) {
        return cell.apply(new Batch(instance, 1, List.of(statement)), statement, before, news, nowMillis);
    }

    /** Before a frame there is an empty one. */
    private static Grant apply(Cell cell, String instance, Asked asked, long nowMillis) {
        Statement statement = asked.statement();
        List<Cell> before = statement.rule() instanceof Rule.Frame ? List.of(Cells.frame(null)) : List.of();
        return apply(cell, instance, statement, before, new ExchangeNews(), nowMillis);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void isStatedByItsOwnRuleOnly(Rule rule) {
        for (Rule other : rules()) {
            Cell cell = Cells.of(rule);
            if (other.equals(rule)) {
                assertThat(apply(cell, "a", statement(rule), NOW).granted()).isZero();
            } else {
                assertThatThrownBy(() -> apply(cell, "a", statement(other), NOW))
                        .hasMessage(key.text() + " was counted by a different rule before");
            }
        }
    }

    @Nested
    class Holding {

        private final Cell cell = Cells.of(FIVE);

        @Test
        void countsAsUsedFromTheEndOfItsLeaseUntilTheNextStatement() {
            apply(cell, "a", statement(FIVE).holding(3).leasedFor(Duration.ofSeconds(1)), NOW);

            assertThat(apply(cell, "b", statement(FIVE).needing(1), NOW + 999)).isEqualTo(new Grant(4, 1, 3));
            assertThat(apply(cell, "c", statement(FIVE).needing(4), NOW + 1_000))
                    .isEqualTo(new Grant(5, 1, 1));
            assertThat(cell.state().lapsed()).containsExactly(new CellState.Lapsed("a", 3, NOW + 1_000));

            assertThat(apply(cell, "a", statement(FIVE).used(1), NOW + 60_000).total())
                    .isEqualTo(3);
            assertThat(cell.state().lapsed())
                    .extracting(CellState.Lapsed::instance)
                    .containsExactly("b", "c");
        }

        /** If the owner came back nevertheless, it would count twice. */
        @Test
        void countsAsUsedForGoodAfterADay() {
            apply(cell, "a", statement(FIVE).holding(3).leasedFor(Duration.ofSeconds(1)), NOW);
            long day = Duration.ofDays(1).toMillis();

            apply(cell, "b", statement(FIVE), NOW + 1_000 + day - 1);
            assertThat(cell.state().lapsed()).hasSize(1);
            apply(cell, "b", statement(FIVE), NOW + 1_000 + day);
            assertThat(cell.state().lapsed()).isEmpty();
            assertThat(cell.state().contents()).isEqualTo(new CellState.Total(3, 0));
        }

        /** Its tokens have flowed in again, and later calls are others'. */
        @Test
        void ofABucketIsNotTakenBackFromCallsOfOthers() {
            Cell bucket = Cells.of(BUCKET);
            apply(bucket, "a", statement(BUCKET).holding(2).leasedFor(Duration.ofSeconds(1)), NOW);
            apply(bucket, "b", statement(BUCKET).leasedFor(Duration.ofSeconds(1)), NOW + 1_000);
            apply(bucket, "b", statement(BUCKET).used(5).leasedFor(Duration.ofSeconds(1)), NOW + 60_000);
            long total = apply(bucket, "b", statement(BUCKET), NOW + 60_000).total();

            assertThat(apply(bucket, "a", statement(BUCKET), NOW + 60_000).total())
                    .isEqualTo(total);
        }

        @Test
        void ofThousandsOfDeadInstancesFillsNoCounter() {
            Rule month = new Rule.Total(10_000);
            Cell full = Cells.of(month);
            for (int i = 0; i < 2_000; i++) {
                apply(full, "i" + i, statement(month).holding(2).leasedFor(Duration.ofSeconds(1)), NOW);
            }

            assertThat(apply(full, "b", statement(month), NOW + 1_000).total()).isEqualTo(4_000);
            assertThat(full.state().lapsed())
                    .hasSize(512)
                    .last()
                    .isEqualTo(new CellState.Lapsed("i1999", 2, NOW + 1_000));
        }

        @Test
        void keepsACounterForItsLease() {
            apply(cell, "a", statement(FIVE).used(1).leasedFor(Duration.ofSeconds(60)), NOW);
            assertThat(cell.expiresAtMillis()).isEqualTo(key.end() + GRACE);

            apply(cell, "a", statement(FIVE).holding(1).leasedFor(Duration.ofSeconds(60)), NOW);
            assertThat(cell.expiresAtMillis()).isEqualTo(NOW + 60_000);
        }

        /** What the sender holds of an earlier frame, it knows. */
        @Test
        void isElsewhereIfOthersHoldIt() {
            Cell before = Cells.of(FRAME);
            apply(before, "a", statementOf(key.earlier(1), FRAME).holding(1), NOW - 1);
            apply(before, "b", statementOf(key.earlier(1), FRAME).holding(2), NOW - 1);
            Cell frame = Cells.of(FRAME);

            assertThat(apply(
                            frame,
                            "a",
                            statement(FRAME).needing(5).statement(),
                            List.of(before),
                            new ExchangeNews(),
                            NOW))
                    .isEqualTo(new Grant(2, 2, 2, List.of(3L)));
            assertThat(apply(
                                    frame,
                                    "c",
                                    statement(FRAME).needing(5).statement(),
                                    List.of(before),
                                    new ExchangeNews(),
                                    NOW)
                            .elsewhere())
                    .isEqualTo(2 + 3);
        }
    }

    @Nested
    class UsedUp {

        private final Cell cell = Cells.of(FIVE);

        @Test
        void usedUpIsALimitOfWhichNothingIsLeft() {
            apply(cell, "a", statement(FIVE).used(4), NOW);
            assertThat(cell.isUsedUp()).isFalse();
            apply(cell, "a", statement(FIVE).needing(1), NOW);
            assertThat(cell.isUsedUp()).isTrue();
        }
    }

    @Nested
    class Buckets {

        private final Cell cell = Cells.of(BUCKET);

        /** 7 tokens take 3 s to flow in. Calls may be reported two leases late. */
        @Test
        void stayTwoLeasesLongerThanTheyTakeToFill() {
            apply(cell, "a", statement(BUCKET).used(7).leasedFor(Duration.ofMillis(500)), NOW);
            assertThat(cell.expiresAtMillis()).isEqualTo(NOW + 3_000 + 1 + 2 * 500 + GRACE);
            apply(cell, "a", statement(BUCKET).leasedFor(Duration.ofMillis(500)).needingAtOnce(1, 1), NOW);
            assertThat(cell.expiresAtMillis()).isEqualTo(NOW + 3_428 + 1 + 2 * 500 + GRACE);
        }

        @Test
        void fillFromNowOnIfTheClockStepsBack() {
            apply(cell, "a", statement(BUCKET).used(1), NOW);
            long earlier = NOW - 600_000;
            assertThat(apply(cell, "a", statement(BUCKET).needing(1), earlier).granted())
                    .isEqualTo(1);
        }

        @Test
        void forgetWhatFlowedInTwoLeasesAgo() {
            apply(cell, "a", statement(BUCKET).used(7).leasedFor(Duration.ofSeconds(1)), NOW);
            apply(cell, "a", statement(BUCKET).leasedFor(Duration.ofSeconds(1)), NOW + 4_999);
            assertThat(((CellState.Bucket) cell.contents()).periods()).hasSize(1);
            apply(cell, "a", statement(BUCKET).leasedFor(Duration.ofSeconds(1)), NOW + 5_000);
            assertThat(((CellState.Bucket) cell.contents()).periods()).isEmpty();
        }
    }

    @Nested
    class Logs {

        private final Cell cell = Cells.of(LOG);

        private List<Long> times() {
            return ((CellState.Log) cell.contents())
                    .entries().stream().map(CellState.Entry::timeMillis).toList();
        }

        @Test
        void haveOneEntryForAllCallsOfAnInstanceAtOneTimeWhateverTheyCost() {
            apply(cell, "a", statement(LOG).used(3).used(2), NOW);
            apply(cell, "b", statement(LOG).used(1), NOW);
            apply(cell, "a", statement(LOG).used(-4), NOW);
            assertThat(((CellState.Log) cell.contents()).entries())
                    .containsExactly(new CellState.Entry(NOW, "a", 1), new CellState.Entry(NOW, "b", 1));
        }

        @Test
        void haveCallsThatAreReportedLateAtTheirTimes() {
            apply(cell, "a", statement(LOG).used(2), NOW);
            apply(cell, "b", statement(LOG).used(Duration.ofMillis(300), 1), NOW + 100);

            assertThat(times()).containsExactly(NOW - 200, NOW);
        }

        @Test
        void forgetACallAfterAPeriod() {
            apply(cell, "a", statement(LOG).used(1), NOW);

            apply(cell, "a", statement(LOG), NOW + 4_999);
            assertThat(times()).containsExactly(NOW);
            apply(cell, "a", statement(LOG), NOW + 5_000);
            assertThat(times()).isEmpty();
        }
    }

    @Test
    void aFrameThatIsOverGrantsNothing() {
        Statement statement = statement(FRAME).needing(1).statement();
        List<Cell> before = List.of(Cells.frame(null));

        assertThat(apply(Cells.of(FRAME), "a", statement, before, new ExchangeNews(), key.end() - 1)
                        .granted())
                .isEqualTo(1);
        assertThat(apply(Cells.of(FRAME), "a", statement, before, new ExchangeNews(), key.end())
                        .granted())
                .isZero();
    }

    @Test
    void slotsAreFreeWhenTheirLeaseEnds() {
        Cell cell = Cells.of(slots(5));
        apply(cell, "a", statement(slots(5)).leasedFor(Duration.ofSeconds(1)), NOW);

        assertThat(apply(cell, "b", statement(slots(0)).needing(1), NOW + 999).granted())
                .isZero();
        assertThat(apply(cell, "b", statement(slots(0)).needing(1), NOW + 1_000).granted())
                .isEqualTo(1);
    }

    @Test
    void anInstanceWithoutCallsOccupiesNoSlot() {
        Cell cell = Cells.of(slots(2));
        apply(cell, "a", statement(slots(2)), NOW);
        apply(cell, "a", statement(slots(0)), NOW);

        assertThat(cell.contents()).isEqualTo(new CellState.Slots(List.of()));
    }

    @Nested
    class Exchanged {

        private final Cell frameBefore = Cells.frame(null);

        /** The news of a batch of "a": whom they concern, what has happened, and which counters. */
        private List<String> news(long nowMillis, Cell cell, Asked... statements) {
            ExchangeNews news = new ExchangeNews();
            for (Asked asked : statements) {
                Statement statement = asked.statement();
                List<Cell> before = statement.rule() instanceof Rule.Frame ? List.of(frameBefore) : List.of();
                apply(cell, "a", statement, before, news, nowMillis);
            }
            return news.all().stream()
                    .map(one -> (one.instance() == null ? "all" : one.instance()) + " "
                            + one.news().kind() + " "
                            + String.join(" ", new TreeSet<>(one.news().keys())))
                    .toList();
        }

        private Cell heldByOther(Rule rule, long permits) {
            Cell cell = Cells.of(rule);
            apply(cell, "b", statement(rule).holding(permits).leasedFor(Duration.ofMinutes(1)), NOW);
            return cell;
        }

        @Test
        void nobodyHearsOfAUsedUpWindowUnlessItWaits() {
            assertThat(news(NOW, Cells.of(FIVE), statement(FIVE).used(5))).isEmpty();
            assertThat(news(NOW, Cells.of(FIVE), statement(FIVE).used(4).needingAtOnce(1, 1)))
                    .as("by a call that waited")
                    .isEmpty();
        }

        @Test
        void thoseWhoWaitHearThatAllIsUsed() {
            Cell cell = Cells.of(FIVE);
            apply(cell, "a", statement(FIVE).holding(5), NOW);
            apply(cell, "b", statement(FIVE).needing(1), NOW);
            apply(cell, "c", statement(FIVE).needing(1), NOW);

            assertThat(news(NOW, cell, statement(FIVE).used(5)))
                    .containsExactly("b FREED " + key.text(), "c FREED " + key.text());
            assertThat(news(NOW, cell, statement(FIVE).used(-1)))
                    .as("whoever was told before knows it from then on")
                    .containsExactly("all FREED " + key.text());
        }

        @Test
        void asManyHearOfWhatCameBackAsItServes() {
            Cell cell = Cells.of(FIVE);
            apply(cell, "a", statement(FIVE).holding(5), NOW);
            apply(cell, "b", statement(FIVE).needing(2), NOW);
            apply(cell, "c", statement(FIVE).needing(1), NOW);
            apply(cell, "d", statement(FIVE).needing(1), NOW);

            assertThat(news(NOW, cell, statement(FIVE).holding(2)))
                    .containsExactly("b FREED " + key.text(), "c FREED " + key.text());
            assertThat(news(NOW, cell, statement(FIVE).used(1).holding(1)))
                    .as("they are told once")
                    .containsExactly("d FREED " + key.text());
        }

        @Test
        void theFirstHearsThatAHolderUsedSome() {
            Cell cell = Cells.of(FIVE);
            apply(cell, "a", statement(FIVE).holding(5), NOW);
            apply(cell, "b", statement(FIVE).needing(1), NOW);
            apply(cell, "c", statement(FIVE).needing(1), NOW);

            assertThat(news(NOW, cell, statement(FIVE).holding(5))).isEmpty();
            assertThat(news(NOW, cell, statement(FIVE).used(1).holding(4))).containsExactly("b FREED " + key.text());
        }

        /** Otherwise two of them would tell each other, at each question. */
        @Test
        void whoNeedsMoreThanIsLeftHearsNothing() {
            Cell cell = Cells.of(FIVE);
            apply(cell, "a", statement(FIVE).holding(4), NOW);
            apply(cell, "b", statement(FIVE).needingAtOnce(3, 3), NOW);
            apply(cell, "c", statement(FIVE).needingAtOnce(4, 2), NOW);

            assertThat(cell.state().waiting()).extracting(Waiting::instance).containsExactly("b", "c");
            assertThat(news(NOW, cell, statement(FIVE).holding(3))).containsExactly("c FREED " + key.text());
            assertThat(news(NOW, cell, statement(FIVE).holding(2))).containsExactly("b FREED " + key.text());
        }

        @Test
        void whoAsksAgainKeepsItsPosition() {
            Cell cell = Cells.of(FIVE);
            apply(cell, "a", statement(FIVE).holding(5), NOW);
            apply(cell, "b", statement(FIVE).needing(1), NOW);
            apply(cell, "c", statement(FIVE).needing(1), NOW);
            apply(cell, "b", statement(FIVE).needing(2), NOW + 1);

            assertThat(news(NOW + 1, cell, statement(FIVE).holding(3))).containsExactly("b FREED " + key.text());
        }

        @Test
        void whoWaitsForWhatIsHeldOfTheFrameBeforeIsNoted() {
            Cell cell = Cells.of(FRAME);
            holdsOfFrameBefore(4);
            asksWithFrameBefore(cell, "b", 2);
            asksWithFrameBefore(cell, "c", 3);
            holdsOfFrameBefore(1);
            assertThat(news(NOW, cell, statement(FRAME))).containsExactly("b FREED " + key.text());
            holdsOfFrameBefore(0);
            assertThat(news(NOW, cell, statement(FRAME))).containsExactly("c FREED " + key.text());
        }

        private void holdsOfFrameBefore(long permits) {
            apply(frameBefore, "d", statementOf(key.earlier(1), FRAME).holding(permits), NOW);
        }

        private void asksWithFrameBefore(Cell cell, String instance, long permits) {
            Statement asks = statement(FRAME).needingAtOnce(permits, permits).statement();
            apply(cell, instance, asks, List.of(frameBefore), new ExchangeNews(), NOW);
        }

        @Test
        void whoGotWhatItNeedsOrHasWaitedForLongHearsNothing() {
            Cell cell = Cells.of(FIVE);
            apply(cell, "a", statement(FIVE).holding(5).leasedFor(Duration.ofHours(1)), NOW);
            apply(cell, "b", statement(FIVE).needing(1), NOW);
            apply(cell, "c", statement(FIVE).needing(1), NOW);
            apply(cell, "b", statement(FIVE), NOW);

            assertThat(news(NOW + 4_999, cell, statement(FIVE).holding(5))).isEmpty();
            assertThat(news(NOW + 5_000, cell, statement(FIVE).holding(4))).isEmpty();
        }

        @Test
        void holdersReturnNoMoreThanIsNeeded() {
            Cell cell = Cells.of(new Rule.Total(10));
            for (String holder : List.of("b", "c", "d", "e")) {
                apply(cell, holder, statement(new Rule.Total(10)).holding(2), NOW);
            }
            Asked needs = statement(new Rule.Total(10)).holding(2).needing(2);

            assertThat(news(NOW, cell, needs)).containsExactly("b RECALLED " + key.text());
            assertThat(news(NOW, cell, needs.repeatedly(1)))
                    .as("four times as much")
                    .hasSize(4);
        }

        @Test
        void aWindowIsNotUsedUpWhileAnybodyHoldsOrMayGetSome() {
            assertThat(news(
                            NOW,
                            Cells.of(FIVE),
                            statement(FIVE).used(4).holding(1).needing(1)))
                    .as("the sender holds one")
                    .isEmpty();
            assertThat(news(NOW, Cells.of(FIVE), statement(FIVE).used(4).needing(1)))
                    .as("the sender was granted one")
                    .isEmpty();
            assertThat(news(NOW, heldByOther(FIVE, 1), statement(FIVE).used(4).wanting(1)))
                    .as("another holds one")
                    .isEmpty();
            assertThat(news(
                            NOW,
                            heldByOther(FIVE, 1),
                            statement(FIVE).used(3).holding(1).wanting(1)))
                    .as("each holds one")
                    .isEmpty();
            assertThat(news(NOW, Cells.of(FIVE), statement(FIVE).used(3).needingAtOnce(1, 1)))
                    .as("one is left")
                    .isEmpty();
        }

        @Test
        void othersReturnWhatTheyHoldOfALimitThatIsOverdrawn() {
            String both = key.text() + " " + key.earlier(1).text();
            apply(frameBefore, "b", statementOf(key.earlier(1), FRAME).holding(1), NOW - 1);
            assertThat(news(NOW, heldByOther(FRAME, 2), statement(FRAME).used(4)))
                    .containsExactly("b RECALLED " + both);
            assertThat(news(key.end(), heldByOther(FIVE, 2), statement(FIVE).used(4)))
                    .as("a report of a window may be late")
                    .containsExactly("b RECALLED " + key.text());
        }

        @Test
        void nobodyReturnsWhatIsHeldOfAFrameThatIsOver() {
            Cell cell = heldByOther(FRAME, 2);

            assertThat(news(key.end() - 1, cell, statement(FRAME).used(4))).hasSize(1);
            assertThat(news(key.end(), cell, statement(FRAME).used(4))).isEmpty();
        }
    }
}
