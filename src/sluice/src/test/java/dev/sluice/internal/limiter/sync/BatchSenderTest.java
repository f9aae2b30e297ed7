package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
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

class BatchSenderTest {

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
    private final BatchSender sender = new BatchSender(store, "me", clock(), () -> woken++);

    private static final Batch.Reply REPLY = new Batch.Reply(START, List.of());

    private static Statement statement(long endMillis) {
        return statement(endMillis, new Rule.Total(10));
    }

    private static Statement statement(long endMillis, Rule rule) {
        CounterKey key = new CounterKey("e", "GET", "t", List.of(new Subject("tenant", "ip", "a")), START, endMillis);
        return new Statement(key, List.of(), 0, Need.NONE, 0, 5_000, rule);
    }

    private StoreClock clock() {
        return new StoreClock(() -> Instant.ofEpochMilli(nanos / MILLI), () -> nanos, () -> nanos);
    }

    private BatchSender.Answer next() {
        return Objects.requireNonNull(sender.nextAnswer(nanos));
    }

    private void fail(int attempt) {
        answers.get(attempt).completeExceptionally(StoreException.unavailable("gone", null));
        assertThat(next().failure()).isInstanceOf(StoreException.class);
    }

    @Test
    void oneBatchAfterTheOther() {
        assertThat(sender.canSend()).isTrue();
        sender.send(List.of());
        assertThat(sender.canSend()).isFalse();
        answers.get(0).complete(REPLY);
        assertThat(woken).isEqualTo(1);
        assertThat(next().reply()).isEqualTo(REPLY);
        assertThat(sender.canSend()).isTrue();
        sender.send(List.of());
        assertThat(sent).extracting(Batch::sequence).containsExactly(1L, 2L);
    }

    /** The machine has slept: the store would take a batch of the time before for one that it may have forgotten. */
    @Test
    void aFirstAttemptIsNeverTooOld() {
        long[] machineMillis = {START};
        StoreClock clock = new StoreClock(() -> Instant.ofEpochMilli(machineMillis[0]), () -> nanos, () -> nanos);
        BatchSender slept = new BatchSender(store, "me", clock, () -> woken++);
        machineMillis[0] += 2 * 86_400_000L;
        slept.send(List.of());
        assertThat(sent.get(0).madeMillis()).isEqualTo(Long.MAX_VALUE);
        answers.get(0).completeExceptionally(StoreException.unavailable("gone", null));
        assertThat(slept.nextAnswer(nanos)).isNotNull();
        slept.sendAgainNow();
        assertThat(sent.get(1).madeMillis()).as("it may have been applied").isEqualTo(START);
    }

    /** This machine's clock was behind from the start, so that nothing seems wrong. */
    @Test
    void afterAForgottenBatchTheNextOneSaysNoTime() {
        sender.send(List.of());
        assertThat(sent.get(0).madeMillis()).isEqualTo(START);
        answers.get(0).completeExceptionally(StoreException.forgotten("so old"));
        assertThat(next().failure()).isInstanceOf(StoreException.class);
        sender.send(List.of());
        assertThat(sent.get(1).madeMillis()).isEqualTo(Long.MAX_VALUE);
        answers.get(1).complete(REPLY);
        assertThat(next().reply()).isEqualTo(REPLY);
        sender.send(List.of());
        assertThat(sent.get(2).madeMillis()).isEqualTo(START);
    }

    /** The thread that reads answers may be busy: the time that an answer lies there is no time of the store. */
    @Test
    void anAnswerThatIsReadLateDoesNotSetTheClockBack() {
        StoreClock clock = clock();
        BatchSender late = new BatchSender(store, "me", clock, () -> woken++);
        late.send(List.of());
        answers.get(0).complete(REPLY);
        nanos += 80 * MILLI;
        assertThat(late.nextAnswer(nanos)).isNotNull();
        assertThat(clock.millis()).isEqualTo(START + 80);
    }

    @Test
    void eachBatchStatesTheAgeOfTheLimits() {
        long started = nanos;
        nanos += 100 * MILLI;
        sender.send(List.of());
        Batch first = sent.get(0);
        assertThat(first.madeMillis() - first.limitsSinceMillis()).isEqualTo((nanos - started) / MILLI);

        answers.get(0).complete(REPLY);
        assertThat(next().reply()).isEqualTo(REPLY);
        sender.limitsReplaced();
        nanos += 30 * MILLI;
        sender.send(List.of());
        assertThat(sent.get(1).madeMillis() - sent.get(1).limitsSinceMillis()).isEqualTo(30);
    }

    @Test
    void aStoreThatThrowsWakesTheLoopAsOneThatFails() {
        fault = new AssertionError("thrown by the test");
        sender.send(List.of());
        assertThat(woken).isEqualTo(1);
        assertThat(next().failure()).isSameAs(fault);
    }

    @Test
    void aFailedBatchIsSentAgainWithItsNumberAndGrowingPauses() {
        sender.send(List.of(statement(START + 3_600_000)));
        fail(0);
        assertThat(sender.nextAttemptNanos() - nanos).isEqualTo(4 * MILLI);
        assertThat(sender.sendAgain(nanos + 3 * MILLI)).isFalse();
        assertThat(sent).hasSize(1);
        nanos += 4 * MILLI;
        assertThat(sender.sendAgain(nanos)).isFalse();
        assertThat(sent).hasSize(2).allMatch(batch -> batch.equals(sent.get(0)));
        fail(1);
        assertThat(sender.nextAttemptNanos() - nanos).isEqualTo(8 * MILLI);
        assertThat(sender.failures()).isEqualTo(2);
    }

    /** The store is well: it is asked again soon, and does not count as unavailable. */
    @Test
    void aConflictIsRetriedSoon() {
        sender.send(List.of(statement(START + 3_600_000)));
        for (int attempt = 0; attempt < 4; attempt++) {
            answers.get(attempt).completeExceptionally(StoreException.conflict("others were first"));
            assertThat(next().failure()).hasMessage("others were first");
            assertThat(sender.nextAttemptNanos() - nanos).isEqualTo(2 * MILLI);
            nanos += 2 * MILLI;
            sender.sendAgain(nanos);
        }
        assertThat(sent).hasSize(5).allMatch(batch -> batch.sequence() == 1);
        assertThat(sender.failures()).isZero();
    }

    @Test
    void usesOfARetriedBatchAreOlder() {
        Statement statement = statement(START + 3_600_000);
        List<Use> uses = List.of(new Use(30, 2), new Use(0, 1));
        sender.send(List.of(new Statement(
                statement.key(), uses, 4, new Need(2, 1, true), 5, statement.leaseMillis(), statement.rule())));
        for (int attempt = 0; attempt < 2; attempt++) {
            fail(attempt);
            nanos += 100 * MILLI;
            sender.sendAgain(nanos);
        }
        assertThat(sent)
                .extracting(batch -> batch.statements().get(0).uses())
                .containsExactly(
                        uses, List.of(new Use(130, 2), new Use(100, 1)), List.of(new Use(230, 2), new Use(200, 1)));
        assertThat(sent)
                .extracting(batch -> batch.statements().get(0))
                .allMatch(again ->
                        again.held() == 4 && again.needed().equals(new Need(2, 1, true)) && again.wanted() == 5);
        assertThat(sent).extracting(Batch::sequence).containsOnly(1L);
    }

    @Test
    void anAnswerToAnEarlierAttemptIsIgnored() {
        sender.send(List.of(statement(START + 3_600_000)));
        nanos += 5_000 * MILLI;
        assertThat(next().failure()).hasMessageContaining("did not answer");
        nanos += 4 * MILLI;
        sender.sendAgain(nanos);
        Batch.Reply reply = new Batch.Reply(START, List.of(new Grant(0, 0, 0)));
        answers.get(0).complete(reply);
        assertThat(sender.nextAnswer(nanos)).isNull();
        answers.get(1).complete(reply);
        assertThat(next().attempt().sentNanos()).isEqualTo(nanos);
    }

    @Test
    void aStaleBatchIsNotRetried() {
        sender.send(List.of());
        answers.get(0).completeExceptionally(StoreException.stale("too old"));
        next();
        assertThat(sender.canSend()).isTrue();
        assertThat(sender.nextAttemptNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anAnswerWithTooFewGrantsIsAFailure() {
        sender.send(List.of(statement(START + 3_600_000)));
        answers.get(0).complete(REPLY);
        BatchSender.Answer answer = next();
        assertThat(answer.reply()).isNull();
        assertThat(answer.failure()).hasMessage("the store answered 1 statements with 0 grants");
        assertThat(sender.canSend()).isFalse();
    }

    @Test
    void anAnswerWithoutTheTotalsOfEarlierFramesIsAFailure() {
        sender.send(List.of(statement(START + 3_600_000, new Rule.Frame(10, 4))));
        answers.get(0).complete(new Batch.Reply(START, List.of(new Grant(3, 1, 0, List.of(5L)))));
        assertThat(next().failure())
                .hasMessage("the store answered a frame with the totals of 1 earlier frames instead of 4");
    }

    @Test
    void anExceptionOfTheStoreIsAFailure() {
        fault = new StackOverflowError("broken store");
        sender.send(List.of());
        assertThat(next().failure()).isSameAs(fault);
    }

    @Test
    void anEmptyBatchIsSentAgainUntilTheStoreAnswers() {
        sender.send(List.of());
        for (int attempt = 0; attempt < 4; attempt++) {
            fail(attempt);
            assertThat(sender.nextAttemptNanos() - nanos).isLessThan(1_000 * MILLI);
            nanos = sender.nextAttemptNanos();
            assertThat(sender.sendAgain(nanos)).as("given up").isFalse();
        }
        assertThat(sent).hasSize(5);
    }

    @Test
    void aUselessBatchIsGivenUp() {
        sender.send(List.of(statement(START + 1_000)));
        fail(0);
        nanos += 2_900 * MILLI;
        assertThat(sender.sendAgain(nanos)).isFalse();
        fail(1);
        nanos += 200 * MILLI;
        assertThat(sender.sendAgain(nanos)).isTrue();
        assertThat(sender.canSend()).isTrue();
        assertThat(sent).hasSize(2);
    }

    @Test
    void silenceLastsFromTheFirstAttempt() {
        sender.send(List.of(statement(START + 3_600_000)));
        long since = nanos;
        nanos += 30 * MILLI;
        fail(0);
        sender.sendAgain(nanos);
        assertThat(sent).hasSize(2);
        assertThat(sender.unresponsiveSinceNanos()).isEqualTo(since);
    }
}
