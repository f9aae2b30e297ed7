package dev.sluice.spring.security;

import dev.sluice.Decision;
import dev.sluice.LoginTicket;
import dev.sluice.RateLimitedException;
import dev.sluice.internal.http.request.RequestLogins;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * A login attempt that a reactive authentication manager makes for a request. The subscriber's context identifies the
 * request. Each subscription is a separate attempt. An attempt ends exactly once: either just before the subscriber
 * sees the manager's result or failure, or when the subscriber cancels. Thread-safe.
 */
final class ReactiveLoginAttempt {

    private static final Executor AFTER_WAIT = work -> Schedulers.parallel().schedule(work);

    private LoginTicket.@Nullable Attempt admitted;
    private boolean hasEnded;

    private ReactiveLoginAttempt() {}

    /**
     * Makes the attempt if the limits admit it, and reports a failure to them. A nested attempt is part of the outer
     * attempt, because managers can delegate to other managers. If a manager does not return an authenticated user, the
     * attempt has also failed.
     *
     * @param login the login that the manager authenticates; {@code null} if unknown
     * @param manager the manager. It is called only after the attempt has been admitted, because some managers compare
     *     the password immediately
     * @param uncounted receives attempts for which no request is known
     * @return the result of the attempt. It fails with a {@link RateLimitedException} if the limits do not admit the
     *     attempt. No handler treats this exception as a failed login. Spring Security propagates it, and the filter
     *     responds with status 429
     */
    static Mono<Authentication> make(
            @Nullable Authentication login, Supplier<Mono<Authentication>> manager, UncountedLogins uncounted) {
        return Mono.deferContextual(context -> {
            if (context.hasKey(ReactiveLoginAttempt.class)) {
                return manager.get();
            }
            RequestLogins logins = logins(context);
            if (logins == null) {
                uncounted.tried();
                return manager.get();
            }
            ReactiveLoginAttempt attempt = new ReactiveLoginAttempt();
            Mono<Authentication> made = Mono.defer(manager)
                    .contextWrite(within -> within.put(ReactiveLoginAttempt.class, attempt))
                    .doOnSuccess(result -> attempt.end(LoginOutcome.isFailed(result)))
                    .doOnError(fault -> attempt.end(LoginOutcome.isFailed(fault)));
            return attempt.begin(logins, TriedName.of(login), made);
        });
    }

    private static @Nullable RequestLogins logins(ContextView context) {
        return context.<@Nullable RequestLogins>getOrDefault(RequestLogins.class, null);
    }

    private Mono<Authentication> begin(RequestLogins logins, @Nullable String name, Mono<Authentication> made) {
        CompletableFuture<LoginTicket.Attempt> asked = logins.begin(name, AFTER_WAIT);
        CompletableFuture<LoginTicket.Attempt> known = new CompletableFuture<>();
        var unused = asked.thenAccept(attempt -> known.complete(begun(attempt)));
        return Mono.fromFuture(known, true)
                .flatMap(begun -> {
                    Decision refusal = begun.refusal();
                    return refusal == null ? made : Mono.error(new RateLimitedException(refusal));
                })
                .doOnCancel(() -> {
                    asked.cancel(false); // nobody will receive the decision, so cancel it
                    end(false);
                });
    }

    private LoginTicket.Attempt begun(LoginTicket.Attempt attempt) {
        boolean isLate;
        synchronized (this) {
            admitted = attempt;
            isLate = hasEnded;
        }
        if (isLate) {
            attempt.ended(false);
        }
        return attempt;
    }

    private void end(boolean failed) {
        LoginTicket.Attempt known;
        synchronized (this) {
            hasEnded = true;
            known = admitted;
        }
        if (known != null) {
            known.ended(failed);
        }
    }
}
