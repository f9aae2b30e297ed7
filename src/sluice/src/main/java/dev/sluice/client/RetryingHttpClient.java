package dev.sluice.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests with an {@link HttpClient}. If a rate limit refuses a call, retries the call according to a
 * {@link RetryPolicy}.
 *
 * <pre>{@code
 * RetryingHttpClient shop = RetryingHttpClient.over(HttpClient.newHttpClient()).pacing();
 * HttpResponse<String> answer = shop.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>The result is the last response. It can still be a refusal. If the policy's time runs out before the last response
 * begins, the call fails with an {@link HttpTimeoutException}. Bodies of earlier responses are discarded. Each attempt
 * publishes the request body again. The publishers in {@code HttpRequest.BodyPublishers} support this.
 *
 * <p>Arguments must not be {@code null}. Thread-safe.
 */
public final class RetryingHttpClient {

    private final HttpClient client;
    private final RetryPolicy policy;
    private final @Nullable Pacers pacers;

    private RetryingHttpClient(HttpClient client, RetryPolicy policy, @Nullable Pacers pacers) {
        this.client = client;
        this.policy = policy;
        this.pacers = pacers;
    }

    /** Sends requests with this client, and retries refused calls according to {@link RetryPolicy#DEFAULT}. */
    public static RetryingHttpClient over(HttpClient client) {
        return over(client, RetryPolicy.DEFAULT);
    }

    /** Sends requests with this client, and retries refused calls according to this policy. */
    public static RetryingHttpClient over(HttpClient client, RetryPolicy policy) {
        return new RetryingHttpClient(client, policy, null);
    }

    /**
     * Returns the same client with pacing. Once half of a server's limit is used up, the client avoids refusals by
     * spreading calls to that server over the time until the limit is full again. Calls to other hosts and ports do not
     * wait.
     */
    public RetryingHttpClient pacing() {
        return new RetryingHttpClient(client, policy, new Pacers());
    }

    /**
     * Sends a request, and waits for the last response. The wait ends after the time that the policy allows.
     *
     * @throws IOException if an attempt fails, or if the policy's time runs out
     * @throws InterruptedException if the thread is interrupted. The current attempt is then cancelled, and no further
     *     attempts are made
     */
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = sendAsync(request, handler);
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        }
    }

    /**
     * Sends a request. The future completes with the last response. Cancelling the future also cancels the current
     * attempt, and prevents further ones.
     */
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        RetriedCall<T> call = new RetriedCall<>(request, handler);
        call.attemptInTurn();
        call.endInTime();
        return call.answer;
    }

    /** One call with all its attempts. */
    private final class RetriedCall<T> {

        private final CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();
        /** Completed when the headers of the last response have arrived. The body can take longer. */
        private final CompletableFuture<Void> begun = new CompletableFuture<>();

        private final HttpRequest request;
        private final BodyHandler<T> handler;
        private final long startedNanos = System.nanoTime();

        private int attempts;
        /** The wait before the next attempt; {@code null} if the call is not retried. */
        private volatile @Nullable Duration pause;

        RetriedCall(HttpRequest request, BodyHandler<T> handler) {
            this.request = request;
            this.handler = handler;
        }

        private void endInTime() {
            var unused = begun.orTimeout(policy.longest().toNanos(), TimeUnit.NANOSECONDS)
                    .exceptionally(late -> {
                        answer.completeExceptionally(
                                new HttpTimeoutException("no response within " + policy.longest()));
                        return null;
                    });
            var ignored = answer.whenComplete((response, failure) -> begun.complete(null));
        }

        private void attemptInTurn() {
            long now = System.nanoTime();
            long left = policy.longest().toNanos() - (now - startedNanos);
            long wait = pacers == null ? 0 : pacers.of(request.uri(), now).nanosUntilTurn(now, left);
            if (wait == 0) {
                attempt();
            } else {
                later(wait, this::attempt);
            }
        }

        private void later(long nanos, Runnable step) {
            Executor executor = client.executor().orElse(ForkJoinPool.commonPool());
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, executor)
                    .execute(() -> {
                        try {
                            step.run();
                        } catch (RuntimeException | Error e) {
                            answer.completeExceptionally(e);
                        }
                    });
        }

        private void attempt() {
            if (answer.isDone()) {
                return;
            }
            attempts++;
            CompletableFuture<HttpResponse<T>> sent = client.sendAsync(request, this::body);
            var unused = answer.whenComplete((response, failure) -> sent.cancel(true));
            var ignored = sent.whenComplete(this::attempted);
        }

        /**
         * Decides whether to retry. The decision is made as soon as the headers have arrived, so that the body of a
         * refusal can be discarded.
         */
        private BodySubscriber<T> body(ResponseInfo head) {
            RateLimitHeaders limits = RateLimitHeaders.read(head.headers()::allValues, Instant.now());
            if (pacers != null) {
                long now = System.nanoTime();
                pacers.of(request.uri(), now).learn(limits, now);
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - startedNanos);
            pause = policy.pause(
                            request.method(), head.statusCode(), limits, attempts, elapsed, ThreadLocalRandom.current())
                    .orElse(null);
            if (pause != null) {
                return nothing();
            }
            begun.complete(null);
            return handler.apply(head);
        }

        @SuppressWarnings("NullAway") // this body is never returned to the calling code
        private BodySubscriber<T> nothing() {
            return BodySubscribers.replacing(null);
        }

        private void attempted(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
            Duration wait = pause;
            if (response == null) {
                answer.completeExceptionally(
                        failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                ? wrapped.getCause()
                                : failure == null ? new IOException("no response") : failure);
            } else if (wait == null) {
                answer.complete(response);
            } else {
                later(wait.toNanos(), this::attemptInTurn);
            }
        }
    }
}
