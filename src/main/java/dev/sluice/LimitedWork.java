package dev.sluice;

import org.jspecify.annotations.Nullable;

/**
 * What {@link RateLimiter#run} runs if it is admitted.
 *
 * @param <T> what it returns
 * @param <E> what it throws
 */
@FunctionalInterface
public interface LimitedWork<T extends @Nullable Object, E extends Throwable> {

    T run() throws E;
}
