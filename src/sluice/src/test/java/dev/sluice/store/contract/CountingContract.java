package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was used adds up. */
public abstract class CountingContract extends ContractPart {

    protected CountingContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");

    @Test
    void addsWhatIsUsed() {
        assertThat(grant(store, batch(instance, 1, report(acme, 3)))).isEqualTo(new Grant(3, 0, 0));
        assertThat(grant(store, batch(instance, 2, report(acme, 4)))).isEqualTo(new Grant(7, 0, 0));
    }

    @Test
    void addsUpOverInstances() {
        assertThat(grant(store, batch(instance, 1, report(acme, 3)))).isEqualTo(new Grant(3, 0, 0));
        assertThat(grant(store, batch(other, 1, report(acme, 4)))).isEqualTo(new Grant(7, 0, 0));
    }

    @Test
    void addsAllUsesOfAStatement() {
        assertThat(ask(instance, 1, statementOf(acme, 100).used(3).used(2).used(-1))
                        .total())
                .isEqualTo(4);
    }

    @Test
    void countsTheSameForOneWhoHasNeverHeardOfTheCounter() {
        assertThat(ask(instance, 1, statementOf(acme, 100).used(3)).total()).isEqualTo(3);
        assertThat(ask(other, 1, statementOf(acme, 100).used(4).needing(2))).isEqualTo(new Grant(9, 2, 0));
        assertThat(ask(third, 1, statementOf(acme, 100)).total()).isEqualTo(9);
    }

    @Test
    void countsEachCounterByItself() {
        exchange(store, batch(instance, 1, report(acme, 3), report(key("other"), 5)));
        List<Grant> grants = exchange(store, batch(instance, 2, question(key("other")), question(acme)))
                .grants();
        assertThat(grants).containsExactly(new Grant(5, 0, 0), new Grant(3, 0, 0));
    }

    @Test
    void addsWhatIsUsedAlsoBeyondTheCap() {
        assertThat(ask(instance, 1, statementOf(acme, 10).used(15).needing(5))).isEqualTo(new Grant(15, 0, 0));
    }

    /** A thousand charges of the largest cost have 16 digits, which a store may not be able to keep. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void grantsNothingHoweverMuchIsUsed(boolean isFrame) {
        Batch.Rule rule =
                isFrame ? new Batch.Rule.Frame(1_000_000_000_000L, 1) : new Batch.Rule.Total(1_000_000_000_000L);
        for (int sequence = 1; sequence <= 3; sequence++) {
            Grant grant = ask(
                    instance,
                    sequence,
                    statementOf(acme, rule)
                            .used(999_999_999_999_999L)
                            .holding(1)
                            .needing(1));
            assertThat(grant.total()).isGreaterThanOrEqualTo(999_999_999_999_999L);
            assertThat(grant.granted()).isZero();
        }
        assertThat(ask(other, 1, statementOf(acme, rule).needing(1)).granted()).isZero();
    }

    @Test
    void neverFallsBelowZero() {
        exchange(store, batch(instance, 1, report(acme, 2)));
        assertThat(grant(store, batch(instance, 2, report(acme, -5))).total()).isZero();
        assertThat(grant(store, batch(instance, 3, report(acme, 1))).total()).isEqualTo(1);
    }

    @Test
    void takingBackFromACounterThatIsGoneLeavesZero() {
        assertThat(grant(store, batch(instance, 1, report(acme, -5))).total()).isZero();
        assertThat(ask(instance, 2, statementOf(key("new"), 100).used(-5)).total())
                .isZero();
        assertThat(total(key("new"))).isZero();
    }

    @Test
    void isExactWithLargeNumbers() {
        long large = 3_000_000_000_001L;
        ask(instance, 1, statementOf(acme, 4 * large).used(large));
        assertThat(ask(instance, 2, statementOf(acme, 4 * large).used(1).needing(large)))
                .isEqualTo(new Grant(2 * large + 1, large, 0));
        assertThat(ask(
                        instance,
                        3,
                        statementOf(acme, Long.MAX_VALUE).used(large).needing(5)))
                .isEqualTo(new Grant(2 * large + 6, 5, 0));
    }

    @Test
    void answersAnEmptyBatchWithItsClock() {
        assertThat(exchange(store, batch(instance, 1)).grants()).isEmpty();
        assertThat(exchange(store, batch(instance, 2)).nowMillis()).isBetween(now() - 2000, now() + 2000);
    }

    @Test
    void keepsTheOrderOfThousandsOfStatements() {
        int many = manyStatements();
        int cap = many + 3;
        List<Statement> statements = IntStream.range(0, many)
                .mapToObj(i -> statementOf(key("t" + i), cap)
                        .used(i)
                        .needing(7)
                        .leasedFor(Duration.ofMinutes(2)) // a store may take long for so many
                        .statement())
                .toList();
        List<Grant> expected = IntStream.range(0, many)
                .mapToObj(i -> new Grant(Math.min(i + 7, cap), Math.min(7, cap - i), 0))
                .toList();
        Batch batch = new Batch(instance, 1, statements);
        assertThat(exchange(store, batch).grants()).isEqualTo(expected);
        assertThat(exchange(store, batch).grants()).isEqualTo(expected);
        assertThat(total(key("t321"))).isEqualTo(328);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "{17}",
                "}{",
                ":",
                "a:GET:10s:0:1",
                "=",
                "+",
                "%",
                "%3a",
                "#",
                "\r\n",
                "\0",
                "é",
                "日本",
                "😀",
                "*",
                "../../etc",
                "'; DROP",
                "$5\r\nhello",
                "\\",
                "\"",
                "!answer:0",
                "\uD800"
            })
    void countsHostileNamesApart(String hostile) {
        CounterKey odd = key(hostile);
        CounterKey like = key(hostile + "x");
        ask(instance, 1, statementOf(odd, 100).used(3).holding(2));
        ask(instance, 2, statementOf(like, 100).used(4).holding(5));
        assertThat(total(odd)).isEqualTo(5);
        assertThat(total(like)).isEqualTo(9);
    }

    @Test
    void bearsHostileInstanceNames() {
        for (String odd : List.of("", " ", "a\r\nb", "{1}", "é", "x".repeat(2000))) {
            CounterKey counter = key("of " + odd);
            Batch batch =
                    batch(odd + instance, 1, statementOf(counter, 10).used(2).needing(3));
            exchange(store, batch);
            assertThat(grant(store, batch)).isEqualTo(new Grant(5, 3, 0));
            assertThat(ask(unique(), 1, statementOf(counter, 10).needing(6))).isEqualTo(new Grant(10, 5, 3));
        }
    }
}
