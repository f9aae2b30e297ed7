package dev.sluice.internal.config.clients;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.text.SafeText;
import dev.sluice.internal.thread.BackgroundThreads;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.KnownClient;
import dev.sluice.limits.SubjectSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A cache in front of a client source that the application has registered. Calls never wait, because they use the
 * cached answer. If the answer is missing or stale, a background query fetches it from the source.
 *
 * <p>Callers can send arbitrary values, so the numbers of cached answers, in-flight queries and queued queries are
 * bounded. Queries for known clients take precedence. Thread-safe.
 */
public final class AskedClients implements AutoCloseable {

    private static final int MOST_KEPT = 100_000;
    private static final int MOST_AT_A_TIME = 8;
    private static final int MOST_WAITING = 1_000;
    private static final int MOST_WARNED = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private final Logger log;
    private final String name;
    private final ClientSource source;
    private final LongSupplier nanos;
    private final ExecutorService background = BackgroundThreads.timer("sluice-clients");
    private final Cache<Key, Answer> answers =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).executor(Runnable::run).build();
    private final BlockingQueue<Question> known = new ArrayBlockingQueue<>(MOST_WAITING);
    private final BlockingQueue<Question> unknown = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean isFailing = new AtomicBoolean();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a cache, but does not query the source yet.
     *
     * @param name the name of the source in the file
     */
    public AskedClients(Logger log, String name, ClientSource source) {
        this(log, name, source, System::nanoTime);
    }

    AskedClients(Logger log, String name, ClientSource source, LongSupplier nanos) {
        this.log = log;
        this.name = name;
        this.source = source;
        this.nanos = nanos;
    }

    private record Key(String source, String value) {}

    /** The source's latest answer for one value. */
    private static final class Answer {

        private final AtomicBoolean isAsked = new AtomicBoolean();
        private volatile KnownClient client = NOBODY;
        private volatile long dueNanos;

        private Answer(long nowNanos) {
            dueNanos = nowNanos;
        }
    }

    private static final KnownClient NOBODY = new KnownClient("", "");

    private record Question(String source, String sent, Answer answer, long refreshNanos, Set<String> plans) {}

    /**
     * Returns the directory for one version of the file.
     *
     * @param refresh the time for which an answer is valid before the source is queried again
     * @param plans the names of the plans in the file
     */
    public ClientDirectory with(Duration refresh, Set<String> plans) {
        return new OfFile(this, refresh.toNanos(), Set.copyOf(plans));
    }

    private record OfFile(AskedClients all, long refreshNanos, Set<String> plans) implements ClientDirectory {

        @Override
        public String planOf(String source, String sent, String key) {
            return all.planOf(source, sent, key, this);
        }

        @Override
        public String nameOf(String source, String key) {
            Answer answer = all.answers.getIfPresent(new Key(source, key));
            return answer == null ? "" : answer.client.name();
        }

        @Override
        public boolean lists(String key) {
            return all.answers.asMap().entrySet().stream()
                    .anyMatch(one -> one.getKey().value.equals(key)
                            && !one.getValue().client.equals(NOBODY));
        }

        @Override
        public List<Named> named(String name) {
            return all.answers.asMap().entrySet().stream()
                    .filter(one ->
                            !name.isEmpty() && one.getValue().client.name().equals(name))
                    .map(one -> new Named(one.getKey().source, one.getKey().value))
                    .toList();
        }
    }

    private String planOf(String from, String sent, String key, OfFile file) {
        long now = nanos.getAsLong();
        Answer answer = answers.get(new Key(from, key), missing -> new Answer(now));
        // At any time, at most one query for a value is pending. No call waits for it.
        if (now - answer.dueNanos >= 0 && !closed && answer.isAsked.compareAndSet(false, true)) {
            Question question = new Question(from, sent, answer, file.refreshNanos, file.plans);
            if ((answer.client.equals(NOBODY) ? unknown : known).offer(question)) {
                askNext();
            } else {
                answer.isAsked.set(false); // the queue is full, so a later call tries again
            }
        }
        return answer.client.plan();
    }

    /** Starts the next query unless too many are in flight. */
    private void askNext() {
        if (inFlight.incrementAndGet() > MOST_AT_A_TIME) {
            inFlight.decrementAndGet();
            return;
        }
        try {
            background.execute(this::ask);
        } catch (RejectedExecutionException e) {
            inFlight.decrementAndGet(); // closed
        }
    }

    private void ask() {
        Question question = known.poll();
        question = question == null ? unknown.poll() : question;
        if (question == null) {
            inFlight.decrementAndGet();
            askMore();
            return;
        }
        Question asked = question;
        try {
            var unused = Objects.requireNonNull(
                            source.find(SubjectSource.plainName(asked.source), asked.sent), "the result is null")
                    .thenApply(found ->
                            found.map(client -> usable(client, asked.plans)).orElse(NOBODY))
                    .toCompletableFuture()
                    .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((client, failure) -> end(asked, client, failure));
        } catch (Throwable e) { // languages such as Kotlin can throw undeclared checked exceptions
            end(asked, null, e);
        }
    }

    /** Completes a query. The client is {@code null} if the source has failed. */
    private void end(Question asked, @Nullable KnownClient client, @Nullable Throwable failure) {
        long now = nanos.getAsLong();
        if (client != null) {
            asked.answer.client = client;
            asked.answer.dueNanos = now + asked.refreshNanos;
            if (isFailing.compareAndSet(true, false)) {
                log.info("The client source {} is available again", name);
            }
        } else {
            asked.answer.dueNanos = now + Math.min(asked.refreshNanos, PAUSE_AFTER_FAILURE.toNanos());
            if (!closed && isFailing.compareAndSet(false, true)) {
                log.warn(
                        "The client source {} failed. Known clients keep their plans, other callers get the default "
                                + "plan, and no call waits. Sluice retries, and logs when the source is available "
                                + "again. Cause: {}",
                        name,
                        failure == null ? "no response" : reason(failure));
            }
        }
        asked.answer.isAsked.set(false);
        inFlight.decrementAndGet();
        askMore();
    }

    private void askMore() {
        if (!known.isEmpty() || !unknown.isEmpty()) {
            askNext();
        }
    }

    /**
     * Removes the client's name if it is invalid, and warns once about each plan that does not exist in the file, up to
     * a maximum number of plans.
     */
    private KnownClient usable(KnownClient client, Set<String> plans) {
        String plan = client.plan();
        if (!plan.isEmpty() && !plans.contains(plan) && warned.size() < MOST_WARNED && warned.add(plan)) {
            log.warn(
                    "The client source {} returned the plan {}, which does not exist in the file. Clients with "
                            + "this plan get the default plan: {}",
                    name,
                    Quote.of(SafeText.cut(plan, 64)),
                    NameHints.plan(plan, plans));
        }
        return KnownClient.isName(client.name()) ? client : new KnownClient("", plan);
    }

    private static String reason(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof TimeoutException
                ? "no response within 30s"
                : cause.getClass().getSimpleName();
    }

    @Override
    public void close() {
        closed = true;
        known.clear();
        unknown.clear();
        BackgroundThreads.end(background);
        try {
            source.close();
        } catch (Exception e) {
            log.warn("Could not close the client source {}", name, e);
        }
    }
}
