package dev.sluice.spring.method;

import dev.sluice.Decision;
import dev.sluice.LimitedWork;
import java.security.Principal;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Limits methods that return a publisher. Such a method runs only when a subscriber subscribes to its result. */
interface PublisherMethods {

    /** Whether this object handles methods with the given return type. */
    boolean include(Class<?> type);

    /**
     * Wraps the result so that each subscription first requests a decision, and then runs the method.
     *
     * @param deciding requests a decision for the authenticated subscriber, if there is one
     * @param method runs the method once
     */
    Object limited(
            Class<?> type,
            BiFunction<@Nullable Principal, Executor, CompletionStage<Decision>> deciding,
            LimitedWork<@Nullable Object, Throwable> method);
}
