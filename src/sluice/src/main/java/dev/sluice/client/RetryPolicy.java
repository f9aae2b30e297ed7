package dev.sluice.client;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when to retry a refused call. A retry never happens earlier than the server allows. The exact
 * time is random, so that callers that were refused at the same time do not all retry at the same time. If the server
 * states no time, the pause is random, up to a bound that doubles with each attempt (exponential backoff with full
 * jitter).
 *
 * <pre>{@code
 * RetryPolicy policy = RetryPolicy.DEFAULT.withAttempts(3).withLongest(Duration.ofSeconds(10));
 * Optional<Duration> pause = policy.pause(
 *         "GET", status, RateLimitHeaders.read(headers::allValues, Instant.now()), attempts, elapsed, random);
 * }</pre>
 *
 * <p>{@link RetryingHttpClient} applies this policy to {@code java.net.http}. For other clients, use the policy
 * directly. Arguments must not be {@code null}. Immutable.
 *
 * @param attempts the maximum number of attempts, including the first
 * @param longest the maximum time from the first attempt until the last response begins. A call is not retried if it
 *     could not pass within this time
 * @param firstPause the upper bound of the first pause if the server states no time
 * @param longestPause the upper bound of every pause if the server states no time
 * @param statuses the statuses after which calls are retried
 * @param repeatsAnyMethod whether to retry methods that are not idempotent, such as POST
 */
public record RetryPolicy(
        int attempts,
        Duration longest,
        Duration firstPause,
        Duration longestPause,
        Set<Integer> statuses,
        boolean repeatsAnyMethod) {

    private static final Duration YEAR = Duration.ofDays(365);

    /** At most five attempts within a minute, after 429 and 503. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            5, Duration.ofMinutes(1), Duration.ofMillis(200), Duration.ofSeconds(20), Set.of(429, 503), false);

    /** The idempotent methods of RFC 9110. */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    private static final int MOST_DOUBLINGS = 30;
    /** Callers that receive the same {@code Retry-After} spread their retries over this fraction of the wait. */
    private static final int SPREAD_PART = 10;
    /** The maximum spread, as a fraction of the wait. It applies regardless of the number of refusals. */
    private static final int LARGEST_SPREAD_PART = 2;

    /**
     * Validates the values.
     *
     * @throws IllegalArgumentException if {@code attempts} is below 1, or a duration is not above zero or longer than a
     *     year
     */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts is " + attempts + "; it must be at least 1");
        }
        requireSpan("longest", longest);
        requireSpan("firstPause", firstPause);
        requireSpan("longestPause", longestPause);
        statuses = Set.copyOf(statuses);
    }

    private static void requireSpan(String name, Duration duration) {
        if (duration.isZero() || duration.isNegative() || duration.compareTo(YEAR) > 0) {
            throw new IllegalArgumentException(name + " is " + duration + "; it must be above zero and at most a year");
        }
    }

    /** Returns a copy with the given number of attempts. */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, longest, firstPause, longestPause, statuses, repeatsAnyMethod);
    }

    /** Returns a copy with the given time limit. */
    public RetryPolicy withLongest(Duration most) {
        return new RetryPolicy(attempts, most, firstPause, longestPause, statuses, repeatsAnyMethod);
    }

    /** Returns a copy that also retries methods that are not idempotent. */
    public RetryPolicy withAnyMethod() {
        return new RetryPolicy(attempts, longest, firstPause, longestPause, statuses, true);
    }

    /**
     * Returns how long to wait before the next attempt.
     *
     * @param method the method of the request
     * @param status the response status
     * @param headers the rate limit headers of the response
     * @param attempted the number of attempts so far
     * @param elapsed the time since the first attempt
     * @param random the source of randomness that spreads the retries
     * @return the wait; empty if the call should not be retried
     */
    public Optional<Duration> pause(
            String method,
            int status,
            RateLimitHeaders headers,
            int attempted,
            Duration elapsed,
            RandomGenerator random) {
        boolean mayRepeat = repeatsAnyMethod || IDEMPOTENT.contains(method);
        if (!mayRepeat || attempted >= attempts || !statuses.contains(status)) {
            return Optional.empty();
        }
        Duration refusedFor = headers.refusedFor();
        Duration left = longest.minus(elapsed);
        if (refusedFor != null && refusedFor.compareTo(left) > 0) {
            return Optional.empty();
        }
        long spreadNanos = spreadNanos(refusedFor, attempted);
        Duration pause = (refusedFor == null ? Duration.ZERO : refusedFor).plusNanos(random.nextLong(spreadNanos + 1));
        return pause.compareTo(left) > 0 ? Optional.empty() : Optional.of(pause);
    }

    private long spreadNanos(@Nullable Duration refusedFor, int attempted) {
        int doublings = Math.min(attempted - 1, MOST_DOUBLINGS);
        Duration doubled = firstPause.multipliedBy(1L << doublings);
        Duration backoff = doubled.compareTo(longestPause) < 0 ? doubled : longestPause;
        if (refusedFor == null) {
            return backoff.toNanos();
        }
        long waitNanos = refusedFor.toNanos();
        long most = Math.max(waitNanos / LARGEST_SPREAD_PART, firstPause.toNanos());
        return Math.min(most, Math.max(waitNanos / SPREAD_PART, backoff.toNanos()));
    }
}
