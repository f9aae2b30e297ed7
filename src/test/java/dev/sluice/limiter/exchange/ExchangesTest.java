package dev.sluice.limiter.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExchangesTest {

    private static final long MILLI = 1_000_000;
    private static final long START = 1_627_318_800_000L;

    private final List<Batch> sent = new ArrayList<>();
    private final List<CompletableFuture<Batch.Reply>> answers = new ArrayList<>();
    private long nanos = START * MILLI;
    private int woken;
    private @Nullable Error fault;

    private final CounterStore store = new CounterStore() {
        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            sent.add(batch);
            if (fault != null) {
                throw fault;
            }
            CompletableFuture<Batch.Reply> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        }

        @Override
        public void close() {}
    };
    private final Exchanges exchanges = new Exchanges(
            store, "me", new StoreClock(() -> Instant.ofEpochMilli(nanos / MILLI)), () -> nanos, () -> woken++);

    private static final Batch.Reply REPLY = new Batch.Reply(START, List.of());

    private static Claim claim(long endMillis) {
        CounterKey key = new CounterKey("e", "GET", "t", List.of(new Subject("tenant", "ip", "a")), START, endMillis);
        return new Claim(key, List.of(), 0, Need.NONE, 0, 5_000, new Rule.Total(10));
    }

    private Exchanges.Answer next() {
        return Objects.requireNonNull(exchanges.nextAnswer(nanos));
    }

    private void fail(int attempt) {
        answers.get(attempt).completeExceptionally(StoreException.unavailable("gone", null));
        assertThat(next().failure()).isInstanceOf(StoreException.class);
    }

    @Test
    void oneBatchAfterTheOther() {
        assertThat(exchanges.isFree()).isTrue();
        exchanges.send(List.of());
        assertThat(exchanges.isFree()).isFalse();
        answers.get(0).complete(REPLY);
        assertThat(woken).isEqualTo(1);
        assertThat(next().reply()).isEqualTo(REPLY);
        assertThat(exchanges.isFree()).isTrue();
        exchanges.send(List.of());
        assertThat(sent).extracting(Batch::sequence).containsExactly(1L, 2L);
    }

    @Test
    void whatFailedIsSentAgainAsItWasAndMoreAndMoreSeldom() {
        exchanges.send(List.of(claim(START + 3_600_000)));
        fail(0);
        assertThat(exchanges.nextAttemptNanos() - nanos).isEqualTo(4 * MILLI);
        assertThat(exchanges.sendAgain(nanos + 3 * MILLI)).isFalse();
        assertThat(sent).hasSize(1);
        nanos += 4 * MILLI;
        assertThat(exchanges.sendAgain(nanos)).isFalse();
        assertThat(sent).hasSize(2).allMatch(batch -> batch.equals(sent.get(0)));
        fail(1);
        assertThat(exchanges.nextAttemptNanos() - nanos).isEqualTo(8 * MILLI);
        assertThat(exchanges.failures()).isEqualTo(2);
    }

    @Test
    void theAnswerToAnEarlierAttemptIsNotRead() {
        exchanges.send(List.of(claim(START + 3_600_000)));
        nanos += 5_000 * MILLI;
        assertThat(next().failure()).hasMessageContaining("did not answer");
        nanos += 4 * MILLI;
        exchanges.sendAgain(nanos);
        Batch.Reply reply = new Batch.Reply(START, List.of(new Grant(0, 0, 0)));
        answers.get(0).complete(reply);
        assertThat(exchanges.nextAnswer(nanos)).isNull();
        answers.get(1).complete(reply);
        assertThat(next().attempt()).isEqualTo(2);
    }

    @Test
    void whatTheStoreWillNeverApplyIsNotSentAgain() {
        exchanges.send(List.of());
        answers.get(0).completeExceptionally(StoreException.outdated("too old"));
        next();
        assertThat(exchanges.isFree()).isTrue();
        assertThat(exchanges.nextAttemptNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anAnswerWithTooFewGrantsIsNone() {
        exchanges.send(List.of(claim(START + 3_600_000)));
        answers.get(0).complete(REPLY);
        Exchanges.Answer answer = next();
        assertThat(answer.reply()).isNull();
        assertThat(answer.failure()).hasMessage("the store has answered 1 claims with 0 grants");
        assertThat(exchanges.isFree()).isFalse();
    }

    @Test
    void anErrorOfTheStoreIsAnAnswerToo() {
        fault = new StackOverflowError("broken store");
        exchanges.send(List.of());
        assertThat(next().failure()).isSameAs(fault);
    }

    @Test
    void whatIsOfNoUseAnyMoreIsGivenUp() {
        exchanges.send(List.of(claim(START + 1_000)));
        fail(0);
        nanos += 2_900 * MILLI;
        assertThat(exchanges.sendAgain(nanos)).isFalse();
        fail(1);
        nanos += 200 * MILLI;
        assertThat(exchanges.sendAgain(nanos)).isTrue();
        assertThat(exchanges.isFree()).isTrue();
        assertThat(sent).hasSize(2);
    }

    @Test
    void silenceLastsFromTheFirstAttempt() {
        assertThat(exchanges.silenceNanos(nanos)).isZero();
        exchanges.send(List.of(claim(START + 3_600_000)));
        nanos += 30 * MILLI;
        fail(0);
        exchanges.sendAgain(nanos);
        assertThat(exchanges.silenceNanos(nanos)).isEqualTo(30 * MILLI);
    }
}
