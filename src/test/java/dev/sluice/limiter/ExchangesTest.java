package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.CounterKey;
import dev.sluice.CounterStore;
import dev.sluice.StoreException;
import dev.sluice.TestClock;
import dev.sluice.Together.OnFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ExchangesTest {

    private static final long NOW = 1_627_318_800_000L;

    private final TestClock machine = new TestClock(NOW);
    private final Scripted store = new Scripted();
    private final Exchanges exchanges = new Exchanges(
            store,
            "instance",
            new StoreClock(machine),
            new Ledger(100),
            () -> OnFailure.LOCAL,
            LoggerFactory.getLogger(ExchangesTest.class));

    /** Answers, or fails with what it is told to. */
    private static final class Scripted implements CounterStore {
        private final List<Batch> heard = new ArrayList<>();
        private @Nullable Throwable failure;

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            heard.add(batch);
            return failure == null
                    ? CompletableFuture.completedFuture(new Batch.Reply(
                            NOW,
                            batch.claims().stream()
                                    .map(claim -> new Grant(0, 0))
                                    .toList()))
                    : CompletableFuture.failedFuture(failure);
        }

        @Override
        public void close() {}
    }

    private static List<Claim> claims(long endMillis) {
        return List.of(new Claim(new CounterKey("e", "GET", "10s", List.of(), NOW, endMillis), 1, 5, 1, 10));
    }

    private void storeIsAway() {
        store.failure = StoreException.unavailable("gone", null);
    }

    @Test
    void aBatchThatWasNotAnsweredIsSentAgainAsItWas() {
        storeIsAway();
        exchanges.send(claims(NOW + 10_000));
        assertThat(exchanges.areStuck()).isTrue();
        assertThat(exchanges.goWell()).isFalse();

        store.failure = null;
        exchanges.again();
        assertThat(exchanges.areStuck()).isFalse();
        assertThat(store.heard).hasSize(2);
        assertThat(store.heard.get(1)).isSameAs(store.heard.get(0));

        exchanges.again();
        assertThat(store.heard).hasSize(2);
        exchanges.send(claims(NOW + 10_000));
        assertThat(store.heard.get(2).sequence()).isEqualTo(store.heard.get(0).sequence() + 1);
    }

    @Test
    void oneFailureMayBeAMomentTwoAreAnAbsence() {
        storeIsAway();
        exchanges.send(claims(NOW + 10_000));
        assertThat(exchanges.isAway()).isFalse();
        exchanges.again();
        assertThat(exchanges.isAway()).isTrue();

        store.failure = null;
        exchanges.again();
        assertThat(exchanges.isAway()).isFalse();
        assertThat(exchanges.goWell()).isTrue();
    }

    @Test
    void whatTheStoreHasRefusedForEverIsNotSentAgain() {
        store.failure = StoreException.outdated("older than the last one");
        exchanges.send(claims(NOW + 10_000));
        assertThat(exchanges.areStuck()).isFalse();
        assertThat(exchanges.goWell()).isFalse();
    }

    @Test
    void whatIsOverIsNotSentAgain() {
        storeIsAway();
        exchanges.send(claims(NOW + 10_000));
        machine.advance(Duration.ofMillis(10_001));
        exchanges.again();
        assertThat(exchanges.areStuck()).isFalse();
    }

    @Test
    void theStoreIsSilentFromTheFirstQuestionThatItDoesNotAnswer() {
        assertThat(exchanges.silenceNanos()).isZero();
        storeIsAway();
        exchanges.send(claims(NOW + 10_000));
        long silence = exchanges.silenceNanos();
        assertThat(silence).isPositive();
        exchanges.again();
        assertThat(exchanges.silenceNanos()).isGreaterThan(silence);

        store.failure = null;
        exchanges.again();
        assertThat(exchanges.silenceNanos()).isZero();
    }

    @Test
    void thePausesDoubleUpToASecond() {
        storeIsAway();
        exchanges.send(claims(NOW + 10_000));
        assertThat(exchanges.pauseNanos()).isEqualTo(4_000_000);
        exchanges.again();
        assertThat(exchanges.pauseNanos()).isEqualTo(8_000_000);
        for (int i = 0; i < 100; i++) {
            exchanges.again();
        }
        assertThat(exchanges.pauseNanos()).isEqualTo(1_000_000_000);
    }
}
