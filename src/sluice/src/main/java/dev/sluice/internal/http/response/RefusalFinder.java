package dev.sluice.internal.http.response;

import dev.sluice.RateLimitedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds the refusal in an exception that a controller, servlet or filter has thrown. */
public final class RefusalFinder {

    private static final int DEEPEST = 10;

    private RefusalFinder() {}

    /**
     * Returns the refusal; {@code null} if there is none. The refusal can be nested in exceptions that only wrap it.
     */
    public static @Nullable RateLimitedException in(@Nullable Throwable thrown) {
        Throwable inner = thrown;
        for (int depth = 0; depth < DEEPEST && inner != null; depth++) {
            if (inner instanceof RateLimitedException refused) {
                return refused;
            }
            inner = isWrapper(inner) ? inner.getCause() : null;
        }
        return null;
    }

    /**
     * Whether an exception only wraps another exception. If the application throws any other exception, it has decided
     * how to report the cause.
     */
    private static boolean isWrapper(Throwable thrown) {
        return thrown instanceof CompletionException
                || thrown instanceof ExecutionException
                || thrown instanceof UndeclaredThrowableException
                || thrown instanceof InvocationTargetException
                || thrown.getClass() == RuntimeException.class;
    }
}
