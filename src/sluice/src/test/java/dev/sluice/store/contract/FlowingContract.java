package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Buckets: what was used flows away with time. */
public abstract class FlowingContract extends ContractPart {

    protected FlowingContract(StoreUnderTest tested) {
        super(tested);
    }

    private static final long DAY = 86_400_000;

    private final CounterKey acme = key("acme");
    private final Gcra five = Gcra.of(5, DAY, 5);
    private final Rule fiveADay = rule(five);

    private static Rule rule(Gcra gcra) {
        return new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
    }

    private Batch.Reply reply(String sender, long sequence, Asked statement) {
        return exchange(store, batch(sender, sequence, statement));
    }

    private static long total(Batch.Reply reply) {
        return reply.grants().get(0).total();
    }

    /** What was left when the store applied the batch, by the clock that it went by. */
    private static long left(Gcra gcra, Batch.Reply reply) {
        return gcra.left(total(reply), reply.appliedMillis());
    }

    @Test
    void grantsWhatIsInTheBucket() {
        assertThat(ask(instance, 1, statementOf(acme, fiveADay).needing(3)).granted())
                .isEqualTo(3);
        assertThat(ask(other, 1, statementOf(acme, fiveADay).needing(3)).granted())
                .isEqualTo(2);
        Grant refused = ask(instance, 2, statementOf(acme, fiveADay).used(3).needing(3));
        assertThat(refused.granted()).isZero();
        assertThat(refused.elsewhere()).isEqualTo(2);
    }

    @Test
    void grantsAPartOfTheBucketAheadOfNeed() {
        assertThat(ask(instance, 1, statementOf(acme, fiveADay).wanting(9)).granted())
                .isEqualTo(2);
        assertThat(ask(other, 1, statementOf(acme, fiveADay).wanting(9)).granted())
                .isEqualTo(1);
        assertThat(ask(other, 2, statementOf(acme, fiveADay).needing(1).wanting(9))
                        .granted())
                .isEqualTo(1);
    }

    @Test
    void tellsWhenTheBucketWouldBeFull() {
        Batch.Reply reply =
                reply(instance, 1, statementOf(acme, fiveADay).used(2).needing(1));

        assertThat(five.resetMillis(total(reply), reply.appliedMillis())).isEqualTo(3 * DAY / 5);
        assertThat(left(five, reply)).isEqualTo(2);
    }

    @Test
    void tellsItWithAllThatIsHeld() {
        ask(other, 1, statementOf(acme, fiveADay).used(1).holding(2));
        Batch.Reply reply =
                reply(instance, 1, statementOf(acme, fiveADay).used(1).holding(1));

        assertThat(left(five, reply)).isZero();
        assertThat(reply.grants().get(0).elsewhere()).isEqualTo(2);
    }

    @Test
    void takesBackWhatCountsNoMore() {
        ask(instance, 1, statementOf(acme, fiveADay).used(5));
        assertThat(ask(instance, 2, statementOf(acme, fiveADay).used(-2)).granted())
                .isZero();
        assertThat(ask(instance, 3, statementOf(acme, fiveADay).needing(5)).granted())
                .isEqualTo(2);
    }

    /** While six slow calls were in flight, the bucket has refilled. What they give back must not refill it again. */
    @Test
    void takesBackSlowCallsAsIfTheyHadNeverBeenMade() {
        Rule sixAnHour = rule(Gcra.of(6, 3_600_000, 6));
        ask(instance, 1, statementOf(acme, sixAnHour).used(Duration.ofMinutes(55), 6));
        ask(instance, 2, statementOf(acme, sixAnHour).used(Duration.ofMinutes(5), 5));
        ask(instance, 3, statementOf(acme, sixAnHour).used(Duration.ofMinutes(55), -6));
        assertThat(ask(instance, 4, statementOf(acme, sixAnHour).needing(9)).granted())
                .isEqualTo(1);
    }

    /** Of ten an hour, ten were used half an hour ago; so five are missing. */
    @Nested
    class WhenTheLimitIsDoubled {
        private static final long HOUR = 3_600_000;
        private final Gcra ten = Gcra.of(10, HOUR, 10);
        private final Gcra twenty = Gcra.of(20, HOUR, 20);
        private long now;

        @BeforeEach
        void tenWereUsed() {
            now = reply(instance, 1, statementOf(acme, rule(ten)).used(Duration.ofMinutes(30), 10))
                    .nowMillis();
        }

        private long left(Gcra gcra, String sender, long sequence, long limitsSinceMillis, Asked statement) {
            Batch batch = new Batch(
                    sender, sequence, now, List.of(statement.statement()), Presence.NOT_STATED, limitsSinceMillis);
            return FlowingContract.left(gcra, exchange(store, batch));
        }

        @Test
        void justAsMuchIsMissing() {
            assertThat(left(twenty, instance, 2, now, statementOf(acme, rule(twenty))))
                    .isEqualTo(15);
        }

        @Test
        void tokensFlowInFasterSinceThen() {
            assertThat(left(twenty, instance, 2, now - HOUR / 4, statementOf(acme, rule(twenty))))
                    .isEqualTo(17);
        }

        @Test
        void anInstanceThatHasNotHeardOfItChangesNothing() {
            Asked raised = statementOf(acme, rule(twenty));
            left(twenty, instance, 2, now - HOUR / 4, raised);

            assertThat(left(ten, other, 1, 0, statementOf(acme, rule(ten)))).isEqualTo(5);
            assertThat(left(twenty, instance, 3, now - HOUR / 4, raised)).isEqualTo(17);
        }

        @Test
        void callsOfBeforeThatAreReportedLaterCountAsIfTheyHadBeenReportedAtOnce() {
            left(twenty, instance, 2, now - HOUR / 4, statementOf(acme, rule(twenty)));

            Asked late = statementOf(acme, rule(twenty)).used(Duration.ofMinutes(20), 3);
            assertThat(left(twenty, other, 1, now - HOUR / 4, late)).isEqualTo(14);
        }

        @Test
        void whatIsTakenBackOfBeforeIsThereAgain() {
            left(twenty, instance, 2, now - HOUR / 4, statementOf(acme, rule(twenty)));

            Asked refund = statementOf(acme, rule(twenty)).used(Duration.ofMinutes(30), -2);
            assertThat(left(twenty, instance, 3, now - HOUR / 4, refund)).isEqualTo(19);
        }

        @Test
        void andHalvedAgainJustAsMuchIsMissing() {
            left(twenty, instance, 2, now - HOUR / 4, statementOf(acme, rule(twenty)));

            assertThat(left(ten, instance, 3, now, statementOf(acme, rule(ten))))
                    .isEqualTo(7);
        }
    }

    @Test
    void takesBackQuickCallsInFull() {
        Rule sixAnHour = rule(Gcra.of(6, 3_600_000, 6));
        ask(instance, 1, statementOf(acme, sixAnHour).used(Duration.ofMinutes(5), 6));
        ask(other, 1, statementOf(acme, sixAnHour).used(Duration.ofMinutes(1), 2));
        ask(instance, 2, statementOf(acme, sixAnHour).used(Duration.ofMinutes(5), -6));
        assertThat(ask(instance, 3, statementOf(acme, sixAnHour).needing(9)).granted())
                .isEqualTo(4);
    }

    @Test
    void takesBackNothingWhoseTokensHaveFlowedInAgain() {
        Rule oneAMinute = rule(Gcra.of(1, 60_000, 5));
        ask(
                other,
                1,
                statementOf(acme, oneAMinute).used(Duration.ofMinutes(9), 2).leasedFor(MUCH_LATER));
        ask(instance, 1, statementOf(acme, oneAMinute).used(5));
        ask(
                other,
                2,
                statementOf(acme, oneAMinute).used(Duration.ofMinutes(9), -2).leasedFor(MUCH_LATER));
        assertThat(ask(instance, 2, statementOf(acme, oneAMinute).needing(1)).granted())
                .isZero();
    }

    @Test
    void remembersWhatWasUsedBeyondTheBucket() {
        ask(instance, 1, statementOf(acme, fiveADay).used(8));
        ask(instance, 2, statementOf(acme, fiveADay).used(-2));
        assertThat(ask(instance, 3, statementOf(acme, fiveADay).needing(1)).granted())
                .isZero();
    }

    @Test
    void refillsToItsDepthLessWhatIsHeld() {
        Rule quick = rule(Gcra.of(100, 1_000, 7));
        ask(instance, 1, statementOf(acme, quick).used(3).holding(4));
        letPass(Duration.ofMillis(200));
        assertThat(ask(other, 1, statementOf(acme, quick).needing(9)).granted()).isEqualTo(3);
    }

    @Test
    void countsWhatWasHeldAsUsedWhenTheLeaseEnds() {
        ask(instance, 1, statementOf(acme, fiveADay).used(1).holding(4).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(other, 1, statementOf(acme, fiveADay).needing(9))).satisfies(grant -> {
            assertThat(grant.granted()).isZero();
            assertThat(grant.elsewhere()).isZero();
        });
    }

    @Test
    void followsTheFiguresOfTheLatestStatement() {
        ask(instance, 1, statementOf(acme, fiveADay).used(5));
        Rule nineADay = rule(Gcra.of(9, DAY, 9));
        assertThat(ask(instance, 2, statementOf(acme, nineADay).needing(9)).granted())
                .isEqualTo(4);
        assertThat(ask(instance, 3, statementOf(acme, fiveADay).needing(1)).granted())
                .isZero();
    }

    @Test
    void fillsAgain() {
        Rule oneASecond = rule(Gcra.of(7, 7_000, 7));
        assertThat(ask(instance, 1, statementOf(acme, oneASecond).needing(9)).granted())
                .isEqualTo(7);
        ask(instance, 2, statementOf(acme, oneASecond).used(7));

        letPass(Duration.ofMillis(2_100));

        assertThat(ask(instance, 3, statementOf(acme, oneASecond).needing(9)).granted())
                .isBetween(2L, 4L);
    }

    @Test
    void countsCallsThatAreToldLateAsIfToldInTime() {
        Gcra gcra = Gcra.of(1, 1_000, 20);
        Rule oneASecond = rule(gcra);
        // Both made ten calls, nine and three seconds ago; one bucket would have refilled by all nine.
        ask(
                instance,
                1,
                statementOf(acme, oneASecond).used(Duration.ofSeconds(3), 10).leasedFor(MUCH_LATER));
        Batch.Reply late = reply(
                other,
                1,
                statementOf(acme, oneASecond).used(Duration.ofSeconds(9), 10).leasedFor(MUCH_LATER));

        // 20 calls in 9 seconds leave 11 to flow in; counted as of their report, they would leave 17.
        assertThat(left(gcra, late)).isBetween(8L, 11L);
    }

    @Test
    void forgetsNoBusyPeriodWithinTwoLeases() {
        Gcra gcra = Gcra.of(10, 1_000, 20);
        Rule tenASecond = rule(gcra);
        Duration lease = Duration.ofSeconds(3);
        // Twenty calls five seconds ago had flowed in again three seconds ago, but not if fifty came a second
        // before them.
        ask(
                instance,
                1,
                statementOf(acme, tenASecond).used(Duration.ofSeconds(5), 20).leasedFor(lease));
        Batch.Reply reply = reply(
                other,
                1,
                statementOf(acme, tenASecond).used(Duration.ofSeconds(6), 50).leasedFor(lease));
        assertThat(left(gcra, reply)).isBetween(9L, 14L);
    }

    @Test
    void isExactWithLargeNumbers() {
        Gcra gcra = Gcra.of(999_983, DAY - 1, 999_983);
        Batch.Reply reply =
                reply(instance, 1, statementOf(acme, rule(gcra)).used(999_979).needing(3));
        assertThat(reply.grants().get(0).granted()).isEqualTo(3);
        assertThat(left(gcra, reply)).isEqualTo(1);
    }

    /** Not so many pauses are kept. The oldest are given up, not those of calls that may yet be refunded. */
    @Test
    void givesBackCallsOfABurstThatManySingleCallsWentBefore() {
        Gcra gcra = Gcra.of(10, 1_000, 20);
        Asked single = statementOf(acme, rule(gcra)).leasedFor(MUCH_LATER);
        for (int call = 200; call > 0; call--) {
            single.used(Duration.ofMillis(1_000 + 150 * call), 1);
        }
        ask(instance, 1, single);
        ask(
                instance,
                2,
                statementOf(acme, rule(gcra)).used(Duration.ofMillis(400), 10).leasedFor(MUCH_LATER));
        ask(instance, 3, statementOf(acme, rule(gcra)).used(6).leasedFor(MUCH_LATER));

        Batch.Reply reply =
                reply(instance, 4, statementOf(acme, rule(gcra)).used(-6).leasedFor(MUCH_LATER));
        assertThat(left(gcra, reply)).isGreaterThanOrEqualTo(13);
    }
}
