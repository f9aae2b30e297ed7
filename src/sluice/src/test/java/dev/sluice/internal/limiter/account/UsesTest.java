package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.account.Timeline.START;
import static dev.sluice.internal.limiter.account.Timeline.USUAL;
import static dev.sluice.internal.limiter.account.Timeline.moment;
import static dev.sluice.internal.limiter.account.Timeline.opened;
import static dev.sluice.internal.limiter.account.Timeline.terms;
import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.log;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.account.Uses.ReportedUse;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class UsesTest {

    /** A log of ten seconds. */
    private static Timeline ofLog() {
        return opened(log(1_000, "PT10S"));
    }

    private static List<Calls> calls(long... millisAndNumbers) {
        List<Calls> calls = new ArrayList<>();
        for (int i = 0; i < millisAndNumbers.length; i += 2) {
            calls.add(new Calls(START + millisAndNumbers[i], millisAndNumbers[i + 1]));
        }
        return calls;
    }

    private static Uses made(long... millisAndNumbers) {
        return Uses.NONE.plus(calls(millisAndNumbers), START + 1_000_000);
    }

    @Nested
    class AReport {

        @Test
        void statesHowLongAgoCallsWereMade() {
            ofLog().statements("nothing for RETURN")
                    .isGranted(2, 0)
                    .at(100)
                    .uses(1)
                    .at(250)
                    .uses(1)
                    .at(300)
                    .statements("used 1 200 ms ago and 1 50 ms ago for RETURN");
        }

        @Test
        void statesEachCallOnce() {
            ofLog().statements("nothing for RETURN")
                    .isGranted(1, 0)
                    .at(100)
                    .uses(1)
                    .statements("used 1 0 ms ago for RETURN")
                    .at(150)
                    .charges(1)
                    .isGranted(0, 0)
                    .at(200)
                    .statements("used 1 50 ms ago for RETURN")
                    .isGranted(0, 0)
                    .statesNothing();
        }

        @Test
        void doesNotRepeatWhatWasUsedAtOnce() {
            ofLog().needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .at(40)
                    .isGranted(2, 0)
                    .at(50)
                    .statesNothing();
        }

        @Test
        void takesBackWhatWasUsedAtOnceAtItsTime() {
            ofLog().needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .at(40)
                    .isGranted(2, 0)
                    .at(50)
                    .statements("used -2 10 ms ago for REFUND")
                    .isGranted(0, 0)
                    .statesNothing();
        }

        @Test
        void statesReturnsAtTheTimeOfTheirCalls() {
            ReportedUse report = made(100, 5, 200, 3, 100, -5).report(3, START + 300);
            assertThat(report.timed()).isEqualTo(calls(100, 5, 200, 3, 100, -5));
            assertThat(report.untimed()).isZero();
        }

        @Test
        void countsCallsWithoutTimesAsMadeNow() {
            ReportedUse report = made(100, 2).report(5, START + 300);
            assertThat(report.untimed()).isEqualTo(3);
            assertThat(report.uses(START + 300)).extracting("agoMillis").containsExactly(200L, 0L);
        }

        @Test
        void skipsTimesThatArriveAfterTheirCallsWereReported() {
            Uses uses = made(100, 2);
            uses = uses.sent(uses.report(5, START + 300));
            assertThat(uses.toSkip()).isEqualTo(3);
            uses = uses.plus(calls(290, 2, 295, 4), START + 400);
            assertThat(uses.unreported()).isEqualTo(calls(295, 3));
            assertThat(uses.toSkip()).isZero();
        }

        @Test
        void skipsReturnsThatArriveAfterTheyWereReported() {
            Uses uses = made(100, 2);
            uses = uses.sent(uses.report(-1, START + 300)); // three came back whose times are not known yet
            assertThat(uses.toSkip()).isEqualTo(-3);
            uses = uses.plus(calls(50, -2, 60, -2, 350, 4), START + 400);
            assertThat(uses.unreported()).isEqualTo(calls(60, -1, 350, 4));
        }

        @Test
        void doesNotSkipReturnsForCallsNorCallsForReturns() {
            Uses twoAhead = Uses.NONE.sent(Uses.NONE.report(2, START));
            assertThat(twoAhead.plus(calls(10, -1), START + 400).unreported()).isEqualTo(calls(10, -1));
            Uses twoBack = Uses.NONE.sent(Uses.NONE.report(-2, START));
            assertThat(twoBack.plus(calls(10, 1), START + 400).unreported()).isEqualTo(calls(10, 1));
        }

        @Test
        void isNeverInTheFuture() {
            assertThat(Uses.NONE.plus(calls(500, 1), START + 400).unreported()).isEqualTo(calls(400, 1));
            assertThat(made(500, 1).report(1, START + 400).uses(START + 400))
                    .extracting("agoMillis")
                    .containsExactly(0L);
        }
    }

    /** However long the store is unavailable, and however often it loses what it was told. */
    @Nested
    class AReportOfAnything {

        @Test
        void isOfFewTimesAndAllCalls() {
            Uses uses = Uses.NONE;
            for (int look = 0; look < 100; look++) {
                List<Calls> made = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    made.add(new Calls(START + look * 64L + i, 1));
                }
                uses = uses.plus(made, START + 10_000);
            }
            ReportedUse report = uses.report(6_400, START + 10_000);
            assertThat(report.timed()).hasSizeLessThanOrEqualTo(128);
            assertThat(report.timed().stream().mapToLong(Calls::number).sum()).isEqualTo(6_400);
            assertThat(report.timed().get(report.timed().size() - 1).atMillis()).isEqualTo(START + 6_399);
        }

        @Test
        void isOfFewTimesIfAllIsLostAgainAndAgain() {
            Terms terms = terms(log(100_000, "PT1H"), USUAL);
            Uses uses = Uses.NONE;
            long pending = 64;
            for (int round = 0; round < 20; round++) {
                List<Calls> made = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    made.add(new Calls(START + round * 64L + i, 1));
                }
                uses = uses.plus(made, START + 10_000);
                ReportedUse report = uses.report(pending, START + 10_000);
                uses = uses.sent(report)
                        .applied(report, 0, START + 10_000, terms, moment(10_000))
                        .lost(null, START);
                pending += 64;
            }
            assertThat(uses.unreported()).hasSizeLessThanOrEqualTo(128);
            assertThat(uses.unreported().stream().mapToLong(Calls::number).sum())
                    .isEqualTo(20 * 64);
        }
    }

    @Nested
    class AReportThatTheStoreHasLost {

        /** Its times are a little different: they were computed when the answer came. */
        @Test
        void isNotKnownTwice() {
            List<Calls> applied = calls(0, 2, 500, 1, 3_000, 1);
            Uses known = new Uses(0, List.of(), applied, 0);
            Statement sent = new Statement(
                    key(), List.of(new Use(2_499, 1), new Use(1, 1)), 0, Need.NONE, 0, 5_000, new Rule.Log(9, 10_000));
            Uses after = known.lost(sent, START + 3_000);
            assertThat(after.reported()).containsExactly(applied.get(0));
            assertThat(after.unreported()).extracting(Calls::number).containsExactly(1L, 1L);
        }

        private static CounterKey key() {
            return new CounterKey("e", "GET", "t", List.of(), 0, 0);
        }
    }

    @Nested
    class AReportThatWasAppliedLongAgo {

        private Timeline ofLongLog() {
            return opened(log(1_000, "PT1H"));
        }

        @Test
        void isNotMadeAgain() {
            ofLongLog()
                    .statements("nothing for RETURN")
                    .isGranted(2, 0)
                    .at(100)
                    .uses(1)
                    .statements("used 1 0 ms ago for RETURN")
                    .at(62_000)
                    .isAppliedInVain(0, 0)
                    .charges(1)
                    .statements("used 1 0 ms ago for FAILED");
        }

        @Test
        void returnsWhatWasUsedAtOnceAtItsTime() {
            ofLongLog()
                    .needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .needsNoMore()
                    .at(62_000)
                    .isAppliedInVain(2, 5)
                    .statements("used -2 61995 ms ago for REFUND")
                    .isGranted(0, 0)
                    .expect(Account::due, null);
        }
    }

    @Nested
    class AReportThatIsGivenUp {

        @Test
        void isReportedAgainWithItsTimesBeforeLaterCalls() {
            ofLog().statements("nothing for RETURN")
                    .isGranted(1, 0)
                    .at(100)
                    .uses(1)
                    .statements("used 1 0 ms ago for RETURN")
                    .at(200)
                    .isGivenUp()
                    .charges(1)
                    .isDue(Why.FAILED)
                    .at(250)
                    .statements("used 1 150 ms ago and 1 50 ms ago for FAILED");
        }

        @Test
        void leavesCallsWithoutTimesWithoutTimes() {
            Uses uses = made(100, 2);
            ReportedUse report = uses.report(5, START + 300);
            uses = uses.sent(report).failed(report);
            assertThat(uses.toSkip()).isZero();
            assertThat(uses.report(5, START + 900)).isEqualTo(new ReportedUse(calls(100, 2), 3, START + 900));
        }

        @Test
        void comesBeforeCallsWhoseTimesAreKnownMeanwhile() {
            Uses uses = made(100, 2);
            ReportedUse report = uses.report(2, START + 300);
            uses = uses.sent(report).plus(calls(400, 1), START + 400).failed(report);
            assertThat(uses.unreported()).isEqualTo(calls(100, 2, 400, 1));
        }
    }

    @Nested
    class WhatTheStoreHasLost {

        /** Two reports were applied, of a call at 100 and of one at 200. */
        private static Timeline reported() {
            return opened(log(1_000, "PT10S"))
                    .statements("nothing for RETURN")
                    .isGranted(1, 0)
                    .at(100)
                    .uses(1)
                    .at(110)
                    .statements("used 1 10 ms ago for RETURN")
                    .isGranted(0, 0)
                    .at(200)
                    .charges(1)
                    .statements("used 1 0 ms ago for RETURN")
                    .isGranted(0, 0)
                    .at(300);
        }

        @Test
        void isRepeatedWithItsTimes() {
            reported().isLost().isDue(Why.LOST).statements("used 1 200 ms ago and 1 100 ms ago for LOST");
        }

        @Test
        void isRepeatedOnce() {
            reported()
                    .isLost()
                    .at(1_300)
                    .statements("used 1 1200 ms ago and 1 1100 ms ago for LOST")
                    .isGranted(0, 0)
                    .statesNothing();
        }

        @Test
        void isRepeatedIfItIsLostAgain() {
            reported()
                    .isLost()
                    .at(1_300)
                    .statements("used 1 1200 ms ago and 1 1100 ms ago for LOST")
                    .isGranted(0, 0)
                    .isLost()
                    .statements("used 1 1200 ms ago and 1 1100 ms ago for LOST");
        }

        @Test
        void mayBeOneStatement() {
            reported().losesLastStatement(200).at(1_300).statements("used 1 1100 ms ago for LOST");
        }

        @Test
        void ofOneStatementIsWhatWasUsedBeforeItWasSent() {
            opened(log(1_000, "PT10S"))
                    .statements("nothing for RETURN")
                    .isGranted(1, 0)
                    .at(100)
                    .uses(1)
                    .at(110)
                    .statements("used 1 10 ms ago for RETURN")
                    .isGranted(0, 0)
                    .at(300)
                    .losesLastStatement(110)
                    .isLost()
                    .statements("used 1 200 ms ago for LOST");
        }

        @Test
        void isNotRepeatedTwiceIfAllIsLostAfterOneStatement() {
            reported()
                    .losesLastStatement(200)
                    .isLost()
                    .at(1_300)
                    .statements("used 1 1200 ms ago and 1 1100 ms ago for LOST");
        }

        @Test
        void includesWhatWasUsedAtOnce() {
            ofLog().needs(2)
                    .statements("needed 2 for CALLS_WAIT")
                    .at(40)
                    .isGranted(2, 0)
                    .at(1_000)
                    .isLost()
                    .statements("used 2 960 ms ago for LOST");
        }

        @Test
        void mattersForAPeriodOnly() {
            reported()
                    .at(10_100)
                    .statements("nothing for RETURN") // answers forget what no longer matters
                    .isGranted(0, 0)
                    .isLost()
                    .statements("used 1 10000 ms ago and 1 9900 ms ago for LOST");
            reported()
                    .at(10_101)
                    .statements("nothing for RETURN")
                    .isGranted(0, 0)
                    .isLost()
                    .statements("used 1 9901 ms ago for LOST");
        }

        @Test
        void isKeptUntilABucketIsFullAgainEvenIfItWasOverdrawn() {
            assertThat(terms(bucket(10, "PT10S", 10), USUAL).limit().useTimesKeptMillis())
                    .isEqualTo(20_001);
        }

        @Test
        void isMergedInPairsAtTheLaterTimeBeyond128Times() {
            Terms terms = terms(log(1_000, "PT10S"), USUAL);
            Uses uses = Uses.NONE;
            for (int i = 0; i < 128; i++) {
                uses = reported(uses, i, 1, terms);
            }
            assertThat(uses.reported()).hasSize(128);
            uses = reported(uses, 128, 5, terms);
            assertThat(uses.reported()).hasSize(65);
            assertThat(uses.reported().get(0)).isEqualTo(new Calls(START + 1, 2));
            assertThat(uses.reported().get(64)).isEqualTo(new Calls(START + 128, 5));
            assertThat(uses.reported().stream().mapToLong(Calls::number).sum()).isEqualTo(128 + 5);
        }

        @Test
        void isMergedInPairsIfTheNumberOfTimesIsEvenToo() {
            Terms terms = terms(log(1_000, "PT10S"), USUAL);
            Uses uses = Uses.NONE;
            for (int i = 0; i < 128; i++) {
                uses = reported(uses, i, 1, terms);
            }
            Uses made = uses.plus(calls(128, 5, 129, 7), START + 129);
            ReportedUse report = made.report(12, START + 129);
            uses = made.sent(report).applied(report, 0, START + 129, terms, moment(129));
            assertThat(uses.reported()).hasSize(65);
            assertThat(uses.reported().get(64)).isEqualTo(new Calls(START + 129, 12));
        }

        private static Uses reported(Uses uses, long millis, long number, Terms terms) {
            Uses made = uses.plus(calls(millis, number), START + millis);
            ReportedUse report = made.report(number, START + millis);
            return made.sent(report).applied(report, 0, START + millis, terms, moment(millis));
        }
    }

    @Nested
    class LimitsThatOnlyAddUp {

        @Test
        void keepNoTimes() {
            opened(Timeline.window(100))
                    .statements("nothing for RETURN")
                    .isGranted(5, 0)
                    .uses(2)
                    .statements("used 2 for RETURN")
                    .isGranted(0, 0)
                    .isLost()
                    .expect(account -> account.books().uses(), Uses.NONE);
        }
    }
}
