package dev.sluice.internal.config.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.KnownClient;
import dev.sluice.open.RecordingLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source of clients is asked in the background, and callers go by its last answer. */
@Timeout(30)
class AskedClientsTest {

    private record Question(String source, String value, CompletableFuture<Optional<KnownClient>> answer) {}

    private final BlockingQueue<Question> asked = new LinkedBlockingQueue<>();
    private final AtomicLong nanos = new AtomicLong();
    private final ClientSource source = new ClientSource() {
        @Override
        public CompletionStage<Optional<KnownClient>> find(String from, String value) {
            Question question = new Question(from, value, new CompletableFuture<>());
            asked.add(question);
            return question.answer;
        }
    };
    private final RecordingLogger log = new RecordingLogger();
    private final AskedClients clients = new AskedClients(log, "customers", source, nanos::get);
    private final ClientDirectory directory = clients.with(Duration.ofMinutes(1), Set.of("free", "pro"));

    @AfterEach
    void close() {
        clients.close();
    }

    private String plan(String key) {
        return directory.planOf("hash(header:X-Api-Key)", key, "#" + key);
    }

    private void answer(@Nullable KnownClient client) throws InterruptedException {
        question().answer.complete(Optional.ofNullable(client));
    }

    private Question question() throws InterruptedException {
        Question next = asked.poll(10, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void isAskedOnceForACallerAndAgainWhenTheAnswerIsOld() throws Exception {
        assertThat(plan("k")).isEmpty();
        assertThat(plan("k")).isEmpty();
        Question first = question();
        assertThat(first.source).isEqualTo("header:X-Api-Key");
        assertThat(first.value).isEqualTo("k");
        first.answer.complete(Optional.of(new KnownClient("Acme", "pro")));
        await(() -> plan("k").equals("pro"));
        assertThat(directory.nameOf("hash(header:X-Api-Key)", "#k")).isEqualTo("Acme");
        assertThat(asked).isEmpty();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(plan("k")).isEqualTo("pro");
        answer(new KnownClient("Acme", "free"));
        await(() -> plan("k").equals("free"));
    }

    @Test
    void thatFailsLeavesTheLastAnswerAndIsLoggedOnceWithoutTheKey() throws Exception {
        plan("k");
        answer(new KnownClient("", "pro"));
        await(() -> plan("k").equals("pro"));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        plan("k");
        question().answer.completeExceptionally(new IllegalStateException("no row for k"));
        await(() -> !log.entries().isEmpty());
        assertThat(plan("k")).isEqualTo("pro");
        plan("other");
        question().answer.completeExceptionally(new IllegalStateException("no row for other"));
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        plan("k");
        answer(new KnownClient("", "free"));
        await(() -> log.entries().size() > 1);
        assertThat(log.entries().get(0).toString())
                .contains("The client source customers failed", "IllegalStateException")
                .doesNotContain("no row");
        assertThat(log.entries().get(1).toString()).endsWith("The client source customers is available again");
    }

    @Test
    void isAskedForEightAtATime() throws Exception {
        for (int i = 0; i < 100; i++) {
            plan("k-" + i);
        }
        Question[] first = new Question[8];
        for (int i = 0; i < 8; i++) {
            first[i] = question();
        }
        assertThat(asked.poll(50, TimeUnit.MILLISECONDS)).isNull();
        first[3].answer.complete(Optional.empty());
        assertThat(question().value).isEqualTo("k-8");
    }

    @Test
    void logsAnUnknownPlanOnce() throws Exception {
        plan("a");
        answer(new KnownClient("Acme", "prp"));
        await(() -> plan("a").equals("prp"));
        plan("b");
        answer(new KnownClient("tenant=spoof", "prp"));
        await(() -> plan("b").equals("prp"));
        assertThat(directory.nameOf("hash(header:X-Api-Key)", "#b")).isEmpty();
        assertThat(log.entries())
                .singleElement()
                .asString()
                .endsWith("The client source customers returned the plan \"prp\", which does not exist in the "
                        + "file. Clients with this plan get the default plan: did you mean pro?");
    }
}
