package dev.sluice.client;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when a refused call is retried: no earlier than the server says, and then at a random moment, so that
 * callers who were refused together do not return together. If the server says nothing, pauses are random up to a bound
 * that doubles each time (exponential backoff with full jitter).
 *
 * <pre>{@code
 * Optional<Duration> pause = RetryPolicy.DEFAULT.pause(
 *         "GET", status, RateLimitHeaders.read(headers::allValues, Instant.now()), attempts, elapsed, random);
 * }</pre>
 *
 * @param attempts the most attempts, with the first
 * @param longest the most time from the first attempt until the last answer begins; a call that could not pass in time
 * is
 *     not retried
 * @param firstPause the bound of the first pause if the server says nothing
 * @param longestPause the bound of all pauses if the server says nothing
 * @param statuses the answers after which a call is retried
 * @param repeatsAnyMethod whether calls are retried whose method is not idempotent, such as POST
 */
public record RetryPolicy(
        int attempts,
        Duration longest,
        Duration firstPause,
        Duration longestPause,
        Set<Integer> statuses,
        boolean repeatsAnyMethod) {

    private static final Duration YEAR = Duration.ofDays(365);

    /** Five attempts within a minute, after 429 and 503. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            5, Duration.ofMinutes(1), Duration.ofMillis(200), Duration.ofSeconds(20), Set.of(429, 503), false);

    /** The idempotent methods, by RFC 9110. */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    private static final int MOST_DOUBLINGS = 30;
    /** Callers with the same {@code Retry-After} spread their retries over this part of it. */
    private static final int SPREAD_PART = 10;
    /** The largest spread, as a part of the wait, however often a call was refused. */
    private static final int LARGEST_SPREAD_PART = 2;

    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts is " + attempts + "; a call is made at least once");
        }
        requireSpan("longest", longest);
        requireSpan("firstPause", firstPause);
        requireSpan("longestPause", longestPause);
        statuses = Set.copyOf(statuses);
    }

    private static void requireSpan(String name, Duration duration) {
        if (duration.isZero() || duration.isNegative() || duration.compareTo(YEAR) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + duration + "; write a duration above zero, of a year at most");
        }
    }

    /** The same with another number of attempts. */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, longest, firstPause, longestPause, statuses, repeatsAnyMethod);
    }

    /** The same with another time limit. */
    public RetryPolicy withLongest(Duration most) {
        return new RetryPolicy(attempts, most, firstPause, longestPause, statuses, repeatsAnyMethod);
    }

    /** The same, also for methods that are not idempotent. */
    public RetryPolicy withAnyMethod() {
        return new RetryPolicy(attempts, longest, firstPause, longestPause, statuses, true);
    }

    /**
     * How long to wait before the next attempt; empty if there is none.
     *
     * @param status the status of the answer
     * @param headers what the answer says of limits
     * @param attempted the number of attempts so far
     * @param elapsed the time since the first attempt
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
        long told = refusedFor.toNanos();
        long most = Math.max(told / LARGEST_SPREAD_PART, firstPause.toNanos());
        return Math.min(most, Math.max(told / SPREAD_PART, backoff.toNanos()));
    }
}
