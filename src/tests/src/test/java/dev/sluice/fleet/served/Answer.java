package dev.sluice.fleet.served;

import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;

/**
 * How the fleet answered one call.
 *
 * @param sentNanos when the call was sent, by {@link System#nanoTime()}
 * @param answeredNanos when its answer had arrived, by the same clock; the limiter decided between the two times
 * @param admitted whether it passed; if not, it was refused with 429
 * @param limit the value of {@code x-ratelimit-limit}
 * @param remaining the value of {@code x-ratelimit-remaining}
 * @param retryAfterSeconds the value of {@code Retry-After}; 0 if the call passed
 */
record Answer(
        long sentNanos, long answeredNanos, boolean admitted, long limit, long remaining, long retryAfterSeconds) {

    static Answer of(HttpResponse<?> response, long sentNanos, long answeredNanos) {
        if (response.statusCode() != 200 && response.statusCode() != 429) {
            throw new AssertionError(response.uri() + " answered " + response.statusCode());
        }
        return new Answer(
                sentNanos,
                answeredNanos,
                response.statusCode() == 200,
                number(response, "x-ratelimit-limit"),
                number(response, "x-ratelimit-remaining"),
                number(response, "Retry-After"));
    }

    long tookNanos() {
        return answeredNanos - sentNanos;
    }

    /** The moment at which the caller may call again. */
    long retryNanos() {
        return answeredNanos + TimeUnit.SECONDS.toNanos(retryAfterSeconds);
    }

    private static long number(HttpResponse<?> response, String header) {
        return response.headers().firstValueAsLong(header).orElse(0);
    }
}
