package dev.sluice;

import org.jspecify.annotations.Nullable;

/**
 * The work that {@link RateLimiter#run} limits.
 *
 * @param <T> the type of the result
 * @param <E> the type of exception that the work throws
 */
@FunctionalInterface
public interface LimitedWork<T extends @Nullable Object, E extends Throwable> {

    /** Does the work. The limiter calls this method at most once, and only if the call is admitted. */
    T run() throws E;
}
