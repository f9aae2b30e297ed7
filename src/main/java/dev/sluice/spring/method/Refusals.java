package dev.sluice.spring.method;

import dev.sluice.RateLimitedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds the refusal in what a controller throws. */
final class Refusals {

    private static final int DEEPEST = 10;

    private Refusals() {}

    /** The refusal itself, or the one in wrappers that say nothing of their own; {@code null} if there is none. */
    static @Nullable RateLimitedException in(Throwable thrown) {
        Throwable inner = thrown;
        for (int depth = 0; depth < DEEPEST && inner != null; depth++) {
            if (inner instanceof RateLimitedException refused) {
                return refused;
            }
            inner = isWrapper(inner) ? inner.getCause() : null;
        }
        return null;
    }

    /** Other exceptions with a cause are the application's answer to it. */
    private static boolean isWrapper(Throwable thrown) {
        return thrown instanceof CompletionException
                || thrown instanceof ExecutionException
                || thrown instanceof UndeclaredThrowableException
                || thrown instanceof InvocationTargetException
                || thrown.getClass() == RuntimeException.class;
    }
}
