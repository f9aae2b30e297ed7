package dev.sluice.internal.store.memory;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.grant;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.RateLimitListener;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.store.CounterStoreContract;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InMemoryCounterStoreTest extends CounterStoreContract {

    private final TestClock clock = new TestClock(1_627_318_784_321L);
    private final InMemoryCounterStore shared = new InMemoryCounterStore(clock, 10_000);

    @Override
    protected CounterStore open() {
        return shared;
    }

    @Override
    protected long now() {
        return clock.millis();
    }

    @Override
    protected void letPass(Duration time) {
        clock.advance(time);
    }

    private CounterKey tenant(String tenant) {
        return key("e", tenant, 0, now() + 10_000);
    }

    @Test
    void holdsNothingAfterTheWindows() {
        for (int i = 0; i < 100; i++) {
            exchange(shared, batch("i", i, report(key("e", "t" + i, 0, now() + 100L * i), 1)));
        }
        assertThat(shared.size()).isEqualTo(100);
        letPass(Duration.ofSeconds(14));
        assertThat(shared.size()).isZero();
    }

    @Test
    void forgetsAnswersAfterAMinute() {
        exchange(shared, batch("i", 5, report(tenant("t"), 1)));
        letPass(Duration.ofSeconds(61));
        assertThat(grant(shared, batch("i", 5, report(tenant("t"), 1)))).isEqualTo(Grant.VOID);
    }

    @Test
    void remembersTheLastBatchesOfManyInstancesAndRefusesWhatItMayHaveForgotten() {
        for (int i = 0; i <= LastBatches.MOST; i++) {
            exchange(
                    shared,
                    new Batch("i" + i, 1, now(), List.of(report(tenant("t"), 1)), Batch.Presence.NOT_STATED, 0));
            letPass(Duration.ofMillis(1));
        }
        Batch first = new Batch(
                "i0", 1, now() - LastBatches.MOST - 1, List.of(report(tenant("t"), 1)), Batch.Presence.NOT_STATED, 0);
        letPass(Duration.ofSeconds(61));
        assertThatThrownBy(() -> exchange(shared, first))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.isForgotten()).isTrue());
        assertThat(grant(shared, batch("i1", 1, report(tenant("t"), 1)))).isEqualTo(Grant.VOID);
    }

    @Test
    void forgetsInstancesThatHaveNotSaidForSomeSecondsThatTheyLive() {
        assertThat(lives("a", 1)).isEqualTo(new Fleet(1, 0));
        assertThat(lives("b", 1)).isEqualTo(new Fleet(2, 1));
        letPass(Fleet.LIFE.minusMillis(1));
        assertThat(lives("b", 2)).isEqualTo(new Fleet(2, 1));
        letPass(Duration.ofMillis(1));
        assertThat(lives("b", 3)).isEqualTo(new Fleet(1, 0));
    }

    private @Nullable Fleet lives(String instance, long sequence) {
        return exchange(shared, new Batch(instance, sequence, Long.MAX_VALUE, List.of(), Batch.Presence.ALIVE, 0))
                .fleet();
    }

    @Test
    void aFloodWashesTheLongestUntouchedAwayButNotTheSpent() {
        InMemoryCounterStore small = new InMemoryCounterStore(clock, 100);
        exchange(
                small,
                batch(
                        "i",
                        1,
                        statementOf(tenant("abuser"), 10).used(10),
                        statementOf(tenant("idle"), 10).used(3)));
        for (int i = 0; i < 1000; i++) {
            exchange(
                    small,
                    batch("i", 2 + i, statementOf(tenant("flood" + i), 10).used(1)));
        }
        assertThat(small.size()).isEqualTo(100);
        assertThat(grant(small, batch("j", 1, question(tenant("abuser"))))).isEqualTo(new Grant(10, 0, 0));
        assertThat(grant(small, batch("j", 2, question(tenant("idle"))))).isEqualTo(new Grant(0, 0, 0));
    }

    @Test
    void staysBoundedWhenAllAreSpent() {
        InMemoryCounterStore small = new InMemoryCounterStore(clock, 100);
        for (int i = 0; i < 1000; i++) {
            exchange(small, batch("i", i, statementOf(tenant("flood" + i), 1).used(1)));
        }
        assertThat(small.size()).isEqualTo(100);
    }

    @Test
    void closingOneHandleLeavesTheOthersTheirCounts() {
        exchange(shared, batch("i", 1, report(tenant("t"), 3)));
        shared.close();
        assertThat(grant(shared, batch("i", 2, question(tenant("t"))))).isEqualTo(new Grant(3, 0, 0));
    }

    @Test
    void forgetsTheListenersOfClosedLimiters() {
        for (String instance : new String[] {"one", "another"}) {
            new CountingRateLimiter(TestLimits.of(), clock, RateLimitListener.NONE, shared, instance, null).close();
        }
        assertThat(shared.listeners()).isZero();
    }

    @Test
    void wantsRoomForACounter() {
        assertThatThrownBy(() -> new InMemoryCounterStore(clock, 0)).hasMessage("maximumCounters 0 is not positive");
    }
}
