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
 * Sends requests with an {@link HttpClient}, and retries calls that a rate limit refuses, as its {@link RetryPolicy}
 * says.
 *
 * <pre>{@code
 * RetryingHttpClient shop = RetryingHttpClient.over(HttpClient.newHttpClient()).pacing();
 * HttpResponse<String> answer = shop.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>The result is the last answer, which may still be a refusal. If the last answer has not begun when the time of the
 * policy is over, the call fails with an {@link HttpTimeoutException}. Bodies of earlier answers are discarded. Each
 * attempt publishes the request's body again, which the publishers of {@code HttpRequest.BodyPublishers} support.
 *
 * <p>No argument may be {@code null}. Thread-safe.
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

    /** Sends with this client, and retries refused calls as {@link RetryPolicy#DEFAULT} says. */
    public static RetryingHttpClient over(HttpClient client) {
        return over(client, RetryPolicy.DEFAULT);
    }

    /** Sends with this client, and retries refused calls as this policy says. */
    public static RetryingHttpClient over(HttpClient client, RetryPolicy policy) {
        return new RetryingHttpClient(client, policy, null);
    }

    /**
     * The same client with pacing: once half of a limit is used up, it spreads calls to that server over the time until
     * the limit is full again, so that they are not refused. Calls to other hosts and ports do not wait.
     */
    public RetryingHttpClient pacing() {
        return new RetryingHttpClient(client, policy, new Pacers());
    }

    /**
     * Sends a request, and waits for the last answer, at most as long as the policy says.
     *
     * @throws IOException if an attempt fails, or if the time of the policy is over
     * @throws InterruptedException if the thread is interrupted; ends all attempts
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

    /** Sends a request. The future completes with the last answer. Cancelling it ends all attempts. */
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        RetriedCall<T> call = new RetriedCall<>(request, handler);
        call.attemptInTurn();
        call.endInTime();
        return call.answer;
    }

    /** One call and its attempts, one after another. */
    private final class RetriedCall<T> {

        private final CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();
        /** Completed when the headers of the last answer have arrived; its body may take longer. */
        private final CompletableFuture<Void> begun = new CompletableFuture<>();

        private final HttpRequest request;
        private final BodyHandler<T> handler;
        private final long startedNanos = System.nanoTime();

        private int attempts;
        /** The wait before the next attempt; {@code null} if there is none. */
        private volatile @Nullable Duration pause;

        RetriedCall(HttpRequest request, BodyHandler<T> handler) {
            this.request = request;
            this.handler = handler;
        }

        private void endInTime() {
            var unused = begun.orTimeout(policy.longest().toNanos(), TimeUnit.NANOSECONDS)
                    .exceptionally(late -> {
                        answer.completeExceptionally(new HttpTimeoutException("no answer within " + policy.longest()));
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

        /** Decides about a retry as soon as the headers have arrived, so that the body of a refusal is discarded. */
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

        @SuppressWarnings("NullAway") // this body is never seen
        private BodySubscriber<T> nothing() {
            return BodySubscribers.replacing(null);
        }

        private void attempted(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
            Duration wait = pause;
            if (response == null) {
                answer.completeExceptionally(
                        failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                ? wrapped.getCause()
                                : failure == null ? new IOException("no answer") : failure);
            } else if (wait == null) {
                answer.complete(response);
            } else {
                later(wait.toNanos(), this::attemptInTurn);
            }
        }
    }
}
