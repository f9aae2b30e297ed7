package dev.sluice.spring.method;

import dev.sluice.Decision;
import dev.sluice.LimitedWork;
import dev.sluice.RateLimitedException;
import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;

/**
 * Limits methods that return a Reactor type. Each subscription is a separate call. The method runs after the decision.
 * The call ends with the last signal or the cancellation of the subscription. The call ends before the subscriber sees
 * the last signal, so that the slot is already free when the subscriber makes its next call. Thread-safe.
 *
 * @param authenticated finds the authenticated subscriber
 */
record ReactiveResults(Supplier<Mono<Principal>> authenticated) implements PublisherMethods {

    private static final int OK = 200;

    private static final Executor AFTER_WAIT = work -> Schedulers.parallel().schedule(work);

    @Override
    public boolean include(Class<?> type) {
        return type == Mono.class || type == Flux.class || type == Publisher.class;
    }

    @Override
    public Object limited(
            Class<?> type,
            BiFunction<@Nullable Principal, Executor, CompletionStage<Decision>> deciding,
            LimitedWork<@Nullable Object, Throwable> method) {
        return type == Mono.class
                ? Mono.defer(() -> {
                    Subscription call = new Subscription();
                    return decide(deciding, call)
                            .flatMap(decision -> Mono.from(run(decision, method)))
                            .doOnTerminate(call::end)
                            .doOnCancel(call::end);
                })
                : Flux.defer(() -> {
                    Subscription call = new Subscription();
                    return decide(deciding, call)
                            .flatMapMany(decision -> run(decision, method))
                            .doOnTerminate(call::end)
                            .doOnCancel(call::end);
                });
    }

    private Mono<Decision> decide(
            BiFunction<@Nullable Principal, Executor, CompletionStage<Decision>> deciding, Subscription call) {
        return authenticated
                .get()
                .map(Optional::of)
                .onErrorComplete()
                .defaultIfEmpty(Optional.empty())
                .flatMap(caller -> {
                    CompletableFuture<Decision> asked =
                            deciding.apply(caller.orElse(null), AFTER_WAIT).toCompletableFuture();
                    CompletableFuture<Decision> known = new CompletableFuture<>();
                    var unused = asked.whenComplete((decision, fault) -> {
                        if (fault == null) {
                            known.complete(call.decided(decision));
                        } else {
                            known.completeExceptionally(fault);
                        }
                    });
                    return known.isDone() && !known.isCompletedExceptionally()
                            ? Mono.just(known.join())
                            : Mono.fromFuture(known, true).doFinally(signal -> {
                                if (signal == SignalType.CANCEL) { // nobody will receive the decision, so cancel it
                                    asked.cancel(false);
                                }
                            });
                });
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> run(Decision decision, LimitedWork<@Nullable Object, Throwable> method) {
        if (!decision.admitted()) {
            return Mono.error(new RateLimitedException(decision));
        }
        try {
            return Objects.requireNonNullElse((Publisher<Object>) method.run(), Mono.empty());
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        }
    }

    /**
     * A subscription to a limited method's result. If the subscription ends before the decision, its call ends as soon
     * as the decision is made. Thread-safe.
     */
    private static final class Subscription {

        private Decision decided = Decision.UNLIMITED;
        private boolean hasEnded;

        Decision decided(Decision decision) {
            boolean isLate;
            synchronized (this) {
                decided = decision;
                isLate = hasEnded;
            }
            if (isLate) {
                decision.ended(OK);
            }
            return decision;
        }

        void end() {
            Decision known;
            synchronized (this) {
                hasEnded = true;
                known = decided;
            }
            known.ended(OK);
        }
    }
}
