package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.Exchanges.Asked;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Logs: each use is remembered until it is a period old. */
public abstract class LoggingContract extends ContractPart {

    protected LoggingContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");
    private final Rule.Log fiveAMinute = new Rule.Log(5, 60_000);

    @Test
    void notesEachCall() {
        Grant first = ask(instance, 1, statementOf(acme, fiveAMinute).used(1).needing(2));
        assertThat(first.total()).isEqualTo(3);
        assertThat(first.granted()).isEqualTo(2);
        assertThat(first.details())
                .singleElement()
                .satisfies(oldest -> assertThat(oldest).isBetween(now() - 2_000, now() + 2_000));

        assertThat(ask(other, 1, statementOf(acme, fiveAMinute).needing(9)))
                .isEqualTo(new Grant(5, 2, 2, first.details()));
    }

    @Test
    void tellsOfNoOldestCallWhereThereIsNone() {
        assertThat(ask(instance, 1, statementOf(acme, fiveAMinute).needing(2)))
                .isEqualTo(new Grant(2, 2, 0, List.of(0L)));
    }

    @Test
    void notesCallsWhenTheyWereMade() {
        Rule.Log fiveInThree = new Rule.Log(5, 3_000);
        Grant grant = ask(
                instance,
                1,
                statementOf(acme, fiveInThree)
                        .used(Duration.ofSeconds(4), 2)
                        .used(Duration.ofSeconds(2), 2)
                        .used(1));
        assertThat(grant.total()).isEqualTo(3);
        assertThat(grant.details().get(0)).isBetween(now() - 3_500, now() - 1_500);

        letPass(Duration.ofMillis(1_100));

        assertThat(ask(instance, 2, statementOf(acme, fiveInThree)).total()).isEqualTo(1);
    }

    @Test
    void forgetsCallsOfTheSenderThatCountNoMore() {
        ask(
                other,
                1,
                statementOf(acme, fiveAMinute).used(Duration.ofSeconds(30), 1).used(Duration.ofSeconds(10), 1));
        ask(instance, 1, statementOf(acme, fiveAMinute).used(2));

        Grant grant = ask(other, 2, statementOf(acme, fiveAMinute).used(-1));
        assertThat(grant.total()).isEqualTo(3);
        assertThat(grant.details().get(0)).isLessThan(now() - 20_000);

        assertThat(ask(other, 3, statementOf(acme, fiveAMinute).used(-3)).total())
                .isEqualTo(2);
    }

    /** The store's clock was ten minutes ahead when it noted these calls. */
    @Test
    void countsCallsInTheFutureAsNow() {
        Rule.Log fiveASecond = new Rule.Log(5, 1_000);
        ask(instance, 1, statementOf(acme, fiveASecond).used(Duration.ofMinutes(-10), 5));
        assertThat(ask(instance, 2, statementOf(acme, fiveASecond).needing(1)).granted())
                .isZero();

        letPass(Duration.ofMillis(1_100));

        assertThat(ask(instance, 3, statementOf(acme, fiveASecond).needing(5)).granted())
                .isEqualTo(5);
    }

    @Test
    void givesNothingBackForACallThatCountsNoMore() {
        ask(instance, 1, statementOf(acme, fiveAMinute).used(Duration.ofSeconds(50), 1));

        Grant grant = ask(instance, 2, statementOf(acme, fiveAMinute).used(Duration.ofSeconds(61), -1));
        assertThat(grant.total()).isEqualTo(1);
    }

    /** A slow call that is given back must not free the permit of one that was made later. */
    @Test
    void forgetsTheCallThatWasMadeNearestToTheTimeGivenBack() {
        ask(
                instance,
                1,
                statementOf(acme, fiveAMinute)
                        .used(Duration.ofSeconds(40), 1)
                        .used(Duration.ofSeconds(30), 2)
                        .used(Duration.ofSeconds(10), 2));

        Grant grant = ask(instance, 2, statementOf(acme, fiveAMinute).used(Duration.ofSeconds(40), -1));
        assertThat(grant.total()).isEqualTo(4);
        assertThat(grant.details().get(0)).isBetween(now() - 35_000, now() - 25_000);

        Grant next = ask(instance, 3, statementOf(acme, fiveAMinute).used(Duration.ofSeconds(30), -2));
        assertThat(next.total()).isEqualTo(2);
        assertThat(next.details().get(0)).isBetween(now() - 15_000, now() - 5_000);
    }

    /** What a call costs is given back in part, and the rest stays at its time. */
    @Test
    void forgetsAPartOfWhatACallCost() {
        Rule.Log costly = new Rule.Log(100_000, 60_000);
        ask(
                instance,
                1,
                statementOf(acme, costly).used(Duration.ofSeconds(30), 60_001).used(Duration.ofSeconds(10), 7));
        assertThat(ask(instance, 2, statementOf(acme, costly).used(Duration.ofSeconds(30), -12_345))
                        .total())
                .isEqualTo(47_663);
        Grant grant = ask(instance, 3, statementOf(acme, costly).used(Duration.ofSeconds(30), -47_655));
        assertThat(grant.total()).isEqualTo(8);
        assertThat(grant.details().get(0)).isBetween(now() - 35_000, now() - 25_000);
        assertThat(ask(instance, 4, statementOf(acme, costly).used(-3)).total()).isEqualTo(5);
        assertThat(ask(other, 1, statementOf(acme, costly).needing(100_000)).granted())
                .isEqualTo(99_995);
    }

    /** After a pause, a store may forget what it noted bit by bit. */
    /** A stream is charged more than the limit, and settles for less. */
    @Test
    void forgetsAPartOfMoreThanTheLimit() {
        ask(instance, 1, statementOf(acme, fiveAMinute).used(Duration.ofSeconds(30), 2));
        assertThat(ask(instance, 2, statementOf(acme, fiveAMinute).used(Limit.MAX_THRESHOLD))
                        .total())
                .isEqualTo(Limit.MAX_THRESHOLD + 2);
        assertThat(ask(instance, 3, statementOf(acme, fiveAMinute).used(1 - Limit.MAX_THRESHOLD))
                        .total())
                .isEqualTo(3);
    }

    @Test
    void countsNothingOfACallThatIsAPeriodOldHoweverManyThereAre() {
        Rule.Log costly = new Rule.Log(100_000, 60_000);
        Asked old = statementOf(acme, costly);
        Random random = new Random(5);
        for (int i = 0; i < 8_000; i++) {
            old.used(Duration.ofMillis(59_000 - 5 * i), 1 + random.nextInt(10));
        }
        ask(instance, 1, old);
        ask(other, 1, statementOf(acme, costly).used(Duration.ofSeconds(1), 77).used(1_000));

        Rule.Log brief = new Rule.Log(100_000, 19_000);
        for (int sequence = 1; sequence <= 4; sequence++) {
            assertThat(ask(third, sequence, statementOf(acme, brief)).total()).isEqualTo(1_077);
        }
        assertThat(ask(third, 5, statementOf(acme, brief).needing(100_000)).granted())
                .isEqualTo(98_923);
    }

    @Test
    void countsWhatIsHeldAsMade() {
        ask(instance, 1, statementOf(acme, fiveAMinute).used(1).holding(3));
        assertThat(ask(other, 1, statementOf(acme, fiveAMinute).needing(3)).granted())
                .isEqualTo(1);
        assertThat(ask(instance, 2, statementOf(acme, fiveAMinute).used(1)).total())
                .isEqualTo(3);
    }

    @Test
    void countsWhatWasHeldAsUsedWhenTheLeaseEnds() {
        ask(instance, 1, statementOf(acme, fiveAMinute).used(1).holding(3).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(other, 1, statementOf(acme, fiveAMinute).needing(9)).granted())
                .isEqualTo(1);
    }

    @Test
    void notesThousandsOfCalls() {
        Rule.Log many = new Rule.Log(20_000, 60_000);
        assertThat(ask(instance, 1, statementOf(acme, many).used(15_000).needing(6_000))
                        .granted())
                .isEqualTo(5_000);
        assertThat(ask(instance, 2, statementOf(acme, many).used(5_000)).total())
                .isEqualTo(20_000);
    }
}
