package dev.sluice.spring.method;

import dev.sluice.Call;
import dev.sluice.DecidedCall;
import dev.sluice.Decision;
import dev.sluice.LimitedWork;
import dev.sluice.RateLimitedException;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

/**
 * Consults the limiter about each call of a limited method, and reports the end of the call. Blocks the calling thread
 * while the call is pending, unless the method returns a stage or a publisher. Thread-safe.
 */
final class RateLimitInterceptor implements MethodInterceptor {

    private final Supplier<RateLimiter> limiter;
    private final Supplier<List<CurrentCaller>> callers;
    private final Supplier<List<PublisherMethods>> publishers;
    private final ConcurrentHashMap<MethodClassKey, Optional<LimitedMethod>> methods = new ConcurrentHashMap<>();

    /**
     * Creates the interceptor. The parameters are suppliers, because the interceptor is created before the beans that
     * it uses.
     *
     * @param callers objects that find the caller
     * @param publishers objects that limit methods with a publisher as their result
     */
    RateLimitInterceptor(
            Supplier<RateLimiter> limiter,
            Supplier<List<CurrentCaller>> callers,
            Supplier<List<PublisherMethods>> publishers) {
        this.limiter = limiter;
        this.callers = callers;
        this.publishers = publishers;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        LimitedMethod method = methods.computeIfAbsent(
                        new MethodClassKey(invocation.getMethod(), type),
                        first -> Optional.ofNullable(LimitedMethod.of(invocation.getMethod(), type)))
                .orElse(null);
        if (method == null) {
            return invocation.proceed();
        }
        Class<?> returned = method.method().getReturnType();
        for (PublisherMethods one : publishers.get()) {
            if (one.include(returned)) {
                ProxyMethodInvocation original = (ProxyMethodInvocation) invocation;
                return one.limited(
                        returned,
                        (caller, executor) -> limiter.get()
                                .decideOnAsync(method.name(), call(invocation, method, caller, false), executor),
                        () -> later(original.invocableClone(
                                        original.getArguments().clone()))
                                .run());
            }
        }
        if (method.returnsStage()) {
            return stage(invocation, method);
        }
        return limiter.get().run(method.name(), call(invocation, method, null, true), work(invocation));
    }

    @SuppressWarnings("NullAway") // NullAway ignores the type argument, which allows null
    private static LimitedWork<@Nullable Object, Throwable> work(MethodInvocation invocation) {
        return invocation::proceed;
    }

    /**
     * The rest of the chain. It can run on a different thread, or after this call has returned. Aspects in the chain
     * look up the current invocation, so the invocation is set again.
     */
    @SuppressWarnings("NullAway") // NullAway ignores the type argument, which allows null
    private static LimitedWork<@Nullable Object, Throwable> later(MethodInvocation invocation) {
        return () -> ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
    }

    private MethodCall call(
            MethodInvocation invocation, LimitedMethod method, @Nullable Principal subscriber, boolean holdsThread) {
        Call request = null;
        Principal caller = subscriber;
        for (CurrentCaller known : callers.get()) {
            request = request == null ? known.request() : request;
            caller = caller == null ? known.authenticated() : caller;
        }
        return new MethodCall(
                request == null ? MethodCall.NO_REQUEST : request,
                caller,
                method,
                Arrays.asList(invocation.getArguments()),
                holdsThread);
    }

    private @Nullable Object stage(MethodInvocation invocation, LimitedMethod method) throws Throwable {
        CompletableFuture<Decision> asked = limiter.get()
                .decideOnAsync(method.name(), call(invocation, method, null, false), ForkJoinPool.commonPool())
                .toCompletableFuture();
        if (asked.isDone()) {
            Decision decision = asked.join();
            return decision.admitted()
                    ? DecidedCall.run(decision, work(invocation))
                    : CompletableFuture.failedFuture(new RateLimitedException(decision));
        }
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        var unused = asked.thenCompose(decision -> begun(decision, invocation, result))
                .whenComplete((value, fault) -> complete(result, value, fault));
        var unusedToo = result.whenComplete((value, fault) -> asked.cancel(false)); // the caller is no longer waiting
        return result;
    }

    /**
     * The stage that the method returns after the call has been admitted. If the result given to the caller first
     * completes exceptionally, for example because of a timeout, this code also completes the method's own stage.
     */
    @SuppressWarnings("unchecked")
    private static CompletionStage<@Nullable Object> begun(
            Decision decision, MethodInvocation invocation, CompletableFuture<@Nullable Object> result) {
        if (result.isDone()) {
            decision.ended(Ticket.UNANSWERED);
            return CompletableFuture.completedFuture(null);
        }
        try {
            Object returned = DecidedCall.run(decision, later(invocation));
            CompletionStage<@Nullable Object> stage = Objects.requireNonNullElseGet(
                    (CompletionStage<@Nullable Object>) returned, () -> CompletableFuture.completedFuture(null));
            var unused = result.whenComplete((value, fault) -> {
                if (fault != null) {
                    stage.toCompletableFuture().completeExceptionally(fault);
                }
            });
            return stage;
        } catch (Throwable thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    private static void complete(
            CompletableFuture<@Nullable Object> result, @Nullable Object value, @Nullable Throwable fault) {
        if (fault == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(
                    fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault);
        }
    }
}
