package dev.sluice.client;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when a refused call is made again. It comes no earlier than the server says, and then at a random moment,
 * so that callers who were refused together do not come back together. Where the server says nothing, pauses are random
 * up to a bound that doubles each time.
 *
 * <pre>{@code
 * Optional<Duration> pause = RetryPolicy.DEFAULT.pause(
 *         "GET", status, RateLimitHeaders.read(headers::allValues, Instant.now()), attempts, spent, random);
 * }</pre>
 *
 * @param attempts how often a call is made at most, the first time included
 * @param longest how long all of it takes at most, until the last answer begins; a call that could not pass in time is
 *     not made again
 * @param firstPause up to how long the first pause lasts where the server says nothing
 * @param longestPause up to how long any pause lasts where the server says nothing
 * @param statuses the answers after which a call is made again
 * @param repeatsAnyMethod whether calls are made again that may do something twice, such as POST; otherwise only those
 *     whose method makes no difference between once and twice
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

    /** By RFC 9110, a call with these may be repeated. */
    private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    private static final int MOST_DOUBLINGS = 30;
    /** Callers that got the same time to wait spread their retries over this part of it. */
    private static final int SPREAD_PART = 10;
    /** However often a call has been refused, it comes later than told by no more than this part. */
    private static final int MOST_SPREAD_PART = 2;

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

    /** The same with so many attempts at most. */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, longest, firstPause, longestPause, statuses, repeatsAnyMethod);
    }

    /** The same, but all of it takes no longer than this. */
    public RetryPolicy withLongest(Duration most) {
        return new RetryPolicy(attempts, most, firstPause, longestPause, statuses, repeatsAnyMethod);
    }

    /** The same, also for calls that may do something twice. */
    public RetryPolicy withAnyMethod() {
        return new RetryPolicy(attempts, longest, firstPause, longestPause, statuses, true);
    }

    /**
     * How long to wait before the call is made again; empty if it is not.
     *
     * @param status the status of the answer
     * @param told what the answer tells of limits
     * @param attempted how often the call was made so far
     * @param spent how long ago it was made first
     */
    public Optional<Duration> pause(
            String method, int status, RateLimitHeaders told, int attempted, Duration spent, RandomGenerator random) {
        boolean mayRepeat = repeatsAnyMethod || REPEATABLE.contains(method);
        if (!mayRepeat || attempted >= attempts || !statuses.contains(status)) {
            return Optional.empty();
        }
        Duration refusedFor = told.refusedFor();
        Duration left = longest.minus(spent);
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
        long most = Math.max(told / MOST_SPREAD_PART, firstPause.toNanos());
        return Math.min(most, Math.max(told / SPREAD_PART, backoff.toNanos()));
    }
}
