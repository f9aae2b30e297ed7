package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.cell.TakeAhead;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much is granted, and to whom. */
public abstract class GrantingContract extends ContractPart {

    protected GrantingContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");

    @Test
    void grantsWhatIsNeededAsFarAsItIsThere() {
        assertThat(ask(instance, 1, statementOf(acme, 10).used(2).needing(5))).isEqualTo(new Grant(7, 5, 0));
        assertThat(ask(instance, 2, statementOf(acme, 10).used(5).needing(5))).isEqualTo(new Grant(10, 3, 0));
        assertThat(ask(instance, 3, statementOf(acme, 10).used(3).needing(5))).isEqualTo(new Grant(10, 0, 0));
    }

    @Test
    void grantsAPartOfWhatIsLeftAheadOfNeed() {
        assertThat(ask(instance, 1, statementOf(acme, 10).wanting(100))).isEqualTo(new Grant(5, 5, 0));
        assertThat(ask(instance, 2, statementOf(acme, 10).holding(5).wanting(100)))
                .isEqualTo(new Grant(7, 2, 0));
        assertThat(ask(instance, 3, statementOf(acme, 10).holding(7).wanting(100)))
                .isEqualTo(new Grant(8, 1, 0));
        assertThat(ask(instance, 4, statementOf(acme, 10).holding(8).wanting(100)))
                .isEqualTo(new Grant(9, 1, 0));
        assertThat(ask(instance, 5, statementOf(acme, 10).holding(9).wanting(100)))
                .as("the last one")
                .isEqualTo(new Grant(9, 0, 0));
    }

    @Test
    void dividesThatPartByTheHolders() {
        ask(instance, 1, statementOf(acme, 100).used(10).needing(10));
        ask(other, 1, statementOf(acme, 100).needing(10));
        assertThat(ask(third, 1, statementOf(acme, 100).wanting(100)).granted()).isEqualTo(12);
        ask(instance, 2, statementOf(acme, 100).used(10));
        ask(other, 2, statementOf(acme, 100).used(10));
        assertThat(ask(third, 2, statementOf(acme, 100).used(12).wanting(100)).granted())
                .isEqualTo(29);
    }

    @Test
    void grantsWhatIsNeededBeforeWhatIsWanted() {
        assertThat(ask(instance, 1, statementOf(acme, 10).needing(4).wanting(100)))
                .isEqualTo(new Grant(7, 7, 0));
        assertThat(ask(other, 1, statementOf(acme, 10).needing(2).wanting(100))).isEqualTo(new Grant(9, 2, 7));
    }

    @Test
    void grantsAllThatIsWantedOfALargeLimit() {
        assertThat(ask(instance, 1, statementOf(acme, 1_000_000).needing(4).wanting(100))
                        .granted())
                .isEqualTo(104);
        assertThat(ask(other, 1, statementOf(acme, 1_000_000).wanting(200)).granted())
                .isEqualTo(200);
    }

    /** Where such calls may get back what they took, others may wait for it. */
    @Test
    void saysWhetherCallsOfOthersMayReturnSomething() {
        assertThat(ask(
                        instance,
                        1,
                        statementOf(acme, 2).used(1).needingAtOnce(1, 1).mayReturn()))
                .isEqualTo(new Grant(2, 1, 0));
        assertThat(ask(other, 1, statementOf(acme, 2).needing(1))).isEqualTo(new Grant(2, 0, 0, List.of(), true, 0));
        assertThat(ask(instance, 2, statementOf(acme, 2).needing(1).mayReturn()))
                .isEqualTo(new Grant(2, 0, 0));
        ask(instance, 3, statementOf(acme, 2));
        assertThat(ask(other, 2, statementOf(acme, 2).needing(1))).isEqualTo(new Grant(2, 0, 0));
    }

    /** They have nothing that they could return. */
    @Test
    void doesNotSaySoOfCallsThatGetNothing() {
        ask(instance, 1, statementOf(acme, 2).used(1));
        ask(third, 1, statementOf(acme, 2).needingAtOnce(2, 2).mayReturnGranted());
        assertThat(ask(other, 1, statementOf(acme, 2).needingAtOnce(2, 2)).mayComeBack())
                .isFalse();
        ask(third, 2, statementOf(acme, 2).needingAtOnce(1, 1).mayReturnGranted());
        assertThat(ask(other, 2, statementOf(acme, 2).needing(1)).mayComeBack()).isTrue();
    }

    @Test
    void saysSoForCallsOfEarlierFramesToo() {
        Rule.Frame rule = new Rule.Frame(5, 2);
        CounterKey earlier = acme.earlier(1);
        ask(instance, 1, statementOf(earlier, rule).used(5).mayReturn());
        assertThat(ask(other, 1, statementOf(acme, rule).needing(1)).mayComeBack())
                .isTrue();
        ask(instance, 2, statementOf(earlier, rule));
        assertThat(ask(other, 2, statementOf(acme, rule).needing(1)).mayComeBack())
                .isFalse();
    }

    @Test
    void believesSoForALeaseOnly() {
        ask(instance, 1, statementOf(acme, 2).used(2).mayReturn().leasedFor(Duration.ofSeconds(2)));
        assertThat(ask(other, 1, statementOf(acme, 2).needing(1)).mayComeBack()).isTrue();
        letPass(Duration.ofMillis(2_100));
        assertThat(ask(other, 2, statementOf(acme, 2).needing(1)).mayComeBack()).isFalse();
    }

    @Test
    void grantsFromWhatTheStatementItselfReturns() {
        ask(instance, 1, statementOf(acme, 10).needing(10));
        assertThat(ask(instance, 2, statementOf(acme, 10).used(4).holding(0).needing(7)))
                .isEqualTo(new Grant(10, 6, 0));
        assertThat(ask(instance, 3, statementOf(acme, 10).used(-1).holding(6).needing(2)))
                .isEqualTo(new Grant(10, 1, 0));
    }

    @Test
    void followsACapThatIsChanged() {
        ask(instance, 1, statementOf(acme, 10).used(8));
        assertThat(ask(instance, 2, statementOf(acme, 5).needing(1).wanting(1))).isEqualTo(new Grant(8, 0, 0));
        assertThat(ask(instance, 3, statementOf(acme, -5).needing(1).wanting(1)))
                .isEqualTo(new Grant(8, 0, 0));
        assertThat(ask(instance, 4, statementOf(acme, 12).needing(9))).isEqualTo(new Grant(12, 4, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void countsAsAPlainModelDoes(long seed) {
        Random random = new Random(seed);
        String[] instances = {instance, other, third};
        long[] used = new long[7];
        long[][] held = new long[7][instances.length];
        for (int sequence = 1; sequence <= 80; sequence++) {
            int who = random.nextInt(instances.length);
            List<Statement> statements = new ArrayList<>();
            List<Grant> expected = new ArrayList<>();
            for (int i = 0; i < used.length; i++) {
                int cap = random.nextInt(90);
                long spent = random.nextLong(held[i][who] + 2);
                long holding = random.nextLong(Math.max(1, held[i][who] - spent + 1));
                long needed = random.nextInt(4);
                long wanted = needed == 0 ? 1 + random.nextInt(9) : random.nextInt(9);
                statements.add(statementOf(key("t" + i), cap)
                        .used(spent)
                        .holding(holding)
                        .needing(needed)
                        .wanting(wanted)
                        .statement());
                used[i] += spent;
                held[i][who] = holding;
                long all = used[i] + LongStream.of(held[i]).sum();
                long forWaiting = Math.max(0, Math.min(needed, cap - all));
                held[i][who] = 1;
                int holders =
                        (int) LongStream.of(held[i]).filter(some -> some > 0).count();
                long granted = forWaiting + TakeAhead.allowed(wanted, cap - all - forWaiting, holders);
                held[i][who] = holding + granted;
                long elsewhere = LongStream.of(held[i]).sum() - held[i][who];
                expected.add(new Grant(all + granted, granted, elsewhere));
            }
            assertThat(exchange(store, new Batch(instances[who], sequence, statements))
                            .grants())
                    .isEqualTo(expected);
        }
    }
}
