package dev.sluice.spring.method;

import dev.sluice.Decision;
import dev.sluice.LimitedWork;
import java.security.Principal;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Methods whose results run only when somebody subscribes to them. */
interface LaterResults {

    /** Whether these are of such a type. */
    boolean include(Class<?> type);

    /**
     * A result that asks for a decision when it is subscribed to, and runs the method then.
     *
     * @param deciding asks, given whom the subscriber has authenticated, if anybody
     * @param method runs the method once
     */
    Object limited(
            Class<?> type,
            BiFunction<@Nullable Principal, Executor, CompletionStage<Decision>> deciding,
            LimitedWork<@Nullable Object, Throwable> method);
}
