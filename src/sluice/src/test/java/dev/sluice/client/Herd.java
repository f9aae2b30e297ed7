package dev.sluice.client;

import dev.sluice.RateLimitListener;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Fifty clients of one tenant that all start at once and make twenty calls each, one after another, against a limit of
 * a hundred calls in ten seconds. Calls the filter in virtual time; an answer takes five milliseconds.
 */
final class Herd {

    static final int CLIENTS = 50;
    static final int CALLS = 20;
    static final long LIMIT = 100;
    static final Duration PERIOD = Duration.ofSeconds(10);
    /** The last call cannot pass before this window begins. */
    static final Duration SHORTEST = PERIOD.multipliedBy(CLIENTS * CALLS / LIMIT - 1);

    private static final Duration ANSWER = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final long SLICE_MILLIS = 100;

    /** When a refused call is retried. */
    @FunctionalInterface
    interface Retries {

        /** The time until the next attempt; empty if there is none. */
        Optional<Duration> pause(RateLimitHeaders told, int attempted, Duration spent);
    }

    /**
     * The result.
     *
     * @param finished how many calls passed
     * @param lastMillis when the last of them passed
     * @param attempts the number of attempts
     * @param atMillis the time of each attempt
     */
    record HerdResult(int finished, long lastMillis, int attempts, List<Long> atMillis) {

        /** The most attempts within a tenth of a second. */
        long most() {
            long most = 0;
            int first = 0;
            for (int last = 0; last < atMillis.size(); last++) {
                while (atMillis.get(last) - atMillis.get(first) >= SLICE_MILLIS) {
                    first++;
                }
                most = Math.max(most, last - first + 1);
            }
            return most;
        }

        /** The same without the start, when all clients call at once in any case. */
        long mostLater() {
            List<Long> later =
                    atMillis.stream().filter(at -> at >= PERIOD.toMillis() / 2).toList();
            return new HerdResult(0, 0, 0, later).most();
        }
    }

    private record Attempt(long atMillis, int client, int call, int attempted, long sinceMillis) {}

    private final Retries retries;
    private final @Nullable List<Pacer> pacers;
    private final TestClock clock = new TestClock(0);
    private final PriorityQueue<Attempt> due = new PriorityQueue<>(Comparator.comparingLong(Attempt::atMillis));
    private final List<Long> made = new ArrayList<>();
    private int finished;
    private long lastMillis;

    private Herd(Retries retries, boolean pacing) {
        this.retries = retries;
        this.pacers = pacing ? new ArrayList<>() : null;
    }

    static HerdResult play(Retries retries, boolean pacing) {
        return new Herd(retries, pacing).outcome();
    }

    /** Retries by a policy that never gives up. */
    static HerdResult play(long seed, boolean pacing) {
        Random random = new Random(seed);
        RetryPolicy policy = RetryPolicy.DEFAULT.withAttempts(1_000).withLongest(LONGEST);
        return play((told, attempted, spent) -> policy.pause("GET", 429, told, attempted, spent, random), pacing);
    }

    private HerdResult outcome() {
        Random order = new Random(1);
        for (int client = 0; client < CLIENTS; client++) {
            due.add(new Attempt(order.nextInt(10), client, 0, 0, 0));
            if (pacers != null) {
                pacers.add(new Pacer(order, 0));
            }
        }
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                TestLimits.of(TestLimits.endpoint("all", "/**", TestLimits.tier(LIMIT, PERIOD))),
                clock,
                RateLimitListener.NONE)) {
            RateLimitFilter filter = new RateLimitFilter(limiter);
            while (!due.isEmpty() && due.peek().atMillis < LONGEST.toMillis()) {
                Attempt attempt = due.remove();
                clock.set(attempt.atMillis);
                made.add(attempt.atMillis);
                readAnswer(attempt, HerdCall.through(filter));
            }
        } catch (IOException | ServletException e) {
            throw new IllegalStateException(e);
        }
        return new HerdResult(finished, lastMillis, made.size(), made);
    }

    private void readAnswer(Attempt attempt, HerdCall call) {
        RateLimitHeaders told = RateLimitHeaders.read(call::values, clock.instant());
        long heardMillis = attempt.atMillis + ANSWER.toMillis();
        if (pacers != null) {
            pacers.get(attempt.client).learn(told, heardMillis * 1_000_000);
        }
        if (call.passed()) {
            finished++;
            lastMillis = attempt.atMillis;
            if (attempt.call + 1 < CALLS) {
                make(new Attempt(heardMillis, attempt.client, attempt.call + 1, 0, heardMillis));
            }
            return;
        }
        Duration spent = Duration.ofMillis(heardMillis - attempt.sinceMillis);
        retries.pause(told, attempt.attempted + 1, spent)
                .ifPresent(pause -> make(new Attempt(
                        heardMillis + pause.toMillis(),
                        attempt.client,
                        attempt.call,
                        attempt.attempted + 1,
                        attempt.sinceMillis)));
    }

    private void make(Attempt next) {
        long turnNanos =
                pacers == null ? 0 : pacers.get(next.client).nanosUntilTurn(next.atMillis * 1_000_000, Long.MAX_VALUE);
        due.add(new Attempt(
                next.atMillis + turnNanos / 1_000_000, next.client, next.call, next.attempted, next.sinceMillis));
    }
}
