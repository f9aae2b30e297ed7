package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.LoginTicket;
import dev.sluice.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The login attempts of one call, for limits on failed logins. Each attempt holds a permit from its beginning to its
 * end:
 *
 * <pre>
 * held by the call ── attempt begins ──▶ in use ── attempt failed ──────▶ counted
 *       ▲                                  │ │
 *       │                                  │ └─ attempt did not fail ──▶ returned
 *       └── attempt did not fail, no other attempt is in flight, and the call has not ended
 * </pre>
 *
 * Initially, the call holds the permit that it took when it began. If the call holds no permit, a new attempt takes an
 * additional one. Therefore, concurrent attempts each hold their own permit. An attempt that is waiting for a permit
 * can receive one that is returned by a concurrent attempt of the same call.
 *
 * <p>Limits per login work differently. The attempted name is unknown when the call begins, so the call itself takes no
 * permits from these limits. Instead, each attempt takes a permit from the counter of the attempted name. When the
 * attempt ends, that permit is counted or returned. If the attempt can get only one of its two permits, it takes
 * neither.
 *
 * <p>Thread-safe. The lock guards the fields. It is never held while a permit is taken, counted or returned.
 */
final class Logins {

    private final Owner call;
    private final LimiterParts limiter;
    private final CallOfLogin shown;
    private final List<Taken> own = new ArrayList<>(1);
    private final List<LimitPerLogin> perLogin = new ArrayList<>(0);

    /**
     * The owner of the permit that the call holds for its next attempt. The owner is the call itself or an earlier
     * attempt.
     */
    private @Nullable Ticket held;
    /** The number of attempts that are in flight or are still waiting for a permit. */
    private int attempts;
    /**
     * Whether one of the latest attempts has failed. If so, a further report of a failure is ignored, because it
     * repeats that failure. This field is reset when an attempt begins while no other attempt is in flight.
     */
    private boolean hasFailed;
    /**
     * Whether a failure was reported while attempts were in flight. If so, the next attempt that ends is treated as
     * failed.
     */
    private boolean nextFails;
    /** Whether the call's own permit is counted. */
    private boolean ownCounts;

    private boolean isReported;
    private boolean callHasEnded;
    /** Whether any attempt has been announced. */
    private boolean hasBegun;
    /** The permits that the latest attempt with a name took from limits per login. */
    private List<LimitPerLogin.Tried> lastTried = List.of();

    /** The call as the owner of the permit that it took when it began. */
    interface Owner extends Ticket {

        /** Counts the call permanently. After that, other calls no longer await its outcome. */
        void keep(Taken taking);

        /** Refunds the given permits if the call does not count; otherwise counts them permanently. */
        void end(Taken taking, int status, boolean loginFailed);

        /** Counts the call again, because a login attempt failed after the permit was returned. */
        void chargeAgain(Taken taking);
    }

    Logins(Owner call, LimiterParts limiter, Call by) {
        this.call = call;
        this.limiter = limiter;
        this.shown = new CallOfLogin(by.method(), by.path(), by.ip(), true);
        this.held = call;
    }

    /**
     * The call that listeners receive when an attempt is refused. It is a copy, because an attempt can be made on any
     * thread, even after the server has recycled the request.
     */
    private record CallOfLogin(String method, String path, String ip, boolean holdsThread) implements Call {

        CallOfLogin on(@Nullable Executor executor) {
            return new CallOfLogin(method, path, ip, executor == null);
        }
    }

    /** Adds the permits that the call took from a limit on failed logins. */
    void add(Taken taking) {
        own.add(taking);
    }

    /** Adds limits that count attempts by the attempted name. */
    void await(List<LimitPerLogin> limits) {
        perLogin.addAll(limits);
    }

    /**
     * Begins an attempt if enough permits remain. Blocks this thread while the attempt is pending.
     *
     * @param name the attempted name; {@code null} if there is none
     */
    LoginTicket.Attempt begin(@Nullable String name) {
        try {
            return begin(name, null).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            if (e.getCause() instanceof Error fault) {
                throw fault;
            }
            throw e;
        }
    }

    /**
     * Begins an attempt if enough permits remain.
     *
     * @param name the attempted name; {@code null} if there is none
     * @param executor the executor that completes the result if the attempt was pending; {@code null} to block this
     *     thread instead
     * @return a future that completes with the attempt; cancelling it abandons the attempt
     */
    CompletableFuture<LoginTicket.Attempt> begin(@Nullable String name, @Nullable Executor executor) {
        List<LimitPerLogin.Tried> tried = name == null
                ? List.of()
                : perLogin.stream().map(limit -> limit.by(name)).toList();
        synchronized (this) {
            hasBegun = true;
            lastTried = tried.isEmpty() ? lastTried : tried;
        }
        Beginning beginning = new Beginning(executor);
        beginning.takeFrom(tried);
        return beginning.result;
    }

    /**
     * The start of an attempt. It takes the permits that the attempt needs, starting with those for the attempted name.
     */
    private final class Beginning {

        final CompletableFuture<LoginTicket.Attempt> result = new CompletableFuture<>();
        private final @Nullable Executor executor;

        Beginning(@Nullable Executor executor) {
            this.executor = executor;
        }

        void takeFrom(List<LimitPerLogin.Tried> tried) {
            if (tried.isEmpty()) {
                takeOwn(null);
                return;
            }
            decide(parts(tried), true, (byName, fault) -> {
                if (byName == null || !byName.admitted()) {
                    end(byName == null ? null : new RefusedLogin(byName), fault);
                } else {
                    takeOwn(byName.ticket());
                }
            });
        }

        private void takeOwn(@Nullable Ticket named) {
            Ticket permit = takeHeld();
            if (permit != null) {
                end(new BegunLogin(permit, named), null);
                return;
            }
            decide(own.stream().map(Taken::again).toList(), false, (decision, fault) -> {
                if (decision != null && decision.admitted()) {
                    end(new BegunLogin(decision.ticket(), named), null);
                    return;
                }
                synchronized (Logins.this) {
                    attempts--;
                }
                endNamed(named, false);
                end(decision == null ? null : new RefusedLogin(decision), fault);
            });
        }

        private void decide(
                List<TierAcquisition> parts,
                boolean isFirst,
                BiConsumer<@Nullable Decision, @Nullable Throwable> then) {
            CompletableFuture<Decision> asked =
                    limiter.attempts().decide(shown.on(executor), parts, isFirst, executor, limiter);
            if (!asked.isDone()) {
                var unused = result.whenComplete((attempt, fault) -> asked.cancel(false)); // the caller abandoned it
            }
            var unusedToo = asked.whenComplete(then).whenComplete((decision, fault) -> {
                if (fault != null) {
                    result.completeExceptionally(fault);
                }
            });
        }

        /**
         * Completes the result. If the caller has abandoned the attempt, ends the attempt so that its permits are
         * returned.
         */
        private void end(LoginTicket.@Nullable Attempt attempt, @Nullable Throwable fault) {
            if (attempt == null) {
                result.completeExceptionally(Objects.requireNonNull(fault));
            } else if (!result.complete(attempt)) {
                attempt.ended(false);
            }
        }
    }

    private static List<TierAcquisition> parts(List<LimitPerLogin.Tried> tried) {
        List<TierAcquisition> parts = new ArrayList<>(tried.size());
        tried.forEach(one -> one.addTo(parts));
        return parts;
    }

    /**
     * Takes the permit that the call holds, so that a new attempt can use it. Returns {@code null} if the call holds no
     * permit.
     */
    private synchronized @Nullable Ticket takeHeld() {
        hasFailed &= attempts > 0;
        attempts++;
        Ticket permit = held;
        held = null;
        return permit;
    }

    /** A refused attempt. The application must not make it. */
    private record RefusedLogin(Decision refusal) implements LoginTicket.Attempt {

        @Override
        public void ended(boolean failed) {
            // the attempt was never made
        }
    }

    /** An attempt in flight. The fields for its permits are {@code null} if it needs no permits. */
    private final class BegunLogin implements LoginTicket.Attempt {

        private final @Nullable Ticket permit;
        private final @Nullable Ticket named;
        private final AtomicBoolean hasEnded = new AtomicBoolean();

        BegunLogin(@Nullable Ticket permit, @Nullable Ticket named) {
            this.permit = permit;
            this.named = named;
        }

        @Override
        public void ended(boolean failed) {
            if (hasEnded.compareAndSet(false, true)) {
                attemptEnded(permit, named, failed);
            }
        }
    }

    private static void endNamed(@Nullable Ticket named, boolean failed) {
        if (named != null) {
            named.loginEnded(failed);
            named.ended(Ticket.UNANSWERED);
        }
    }

    private void attemptEnded(@Nullable Ticket permit, @Nullable Ticket named, boolean isSeenToFail) {
        boolean failed;
        boolean isKept;
        synchronized (this) {
            attempts--;
            failed = isSeenToFail || nextFails;
            nextFails = false;
            hasFailed |= failed;
            isReported = true;
            isKept = permit != null && !failed && attempts == 0 && !callHasEnded;
            held = isKept ? permit : held;
        }
        endNamed(named, failed);
        if (permit != null && !isKept) {
            release(permit, failed);
        }
    }

    /**
     * Handles the application's report of a login result, whether or not an attempt is in flight. A failure counts even
     * if the call no longer holds a permit because an earlier login succeeded.
     */
    void reported(boolean failed) {
        Ticket permit;
        List<LimitPerLogin.Tried> tried;
        synchronized (this) {
            isReported = true;
            if (callHasEnded || (failed && hasFailed)) {
                return;
            }
            if (attempts > 0) {
                nextFails |= failed;
                return;
            }
            hasFailed |= failed;
            permit = held;
            held = null;
            tried = lastTried;
        }
        if (failed && !tried.isEmpty()) {
            count(tried);
        }
        if (permit != null) {
            release(permit, failed);
        } else if (failed) {
            own.forEach(call::chargeAgain);
        }
    }

    /**
     * Counts a failure by the attempted name. This method does not wait for the decision, because the calling thread
     * could be an event-loop thread.
     */
    private void count(List<LimitPerLogin.Tried> tried) {
        Executor executor = ForkJoinPool.commonPool();
        CompletableFuture<Void> counted = limiter.attempts()
                .decide(shown.on(executor), parts(tried), true, executor, limiter)
                .thenAccept(byName -> endNamed(byName.ticket(), true));
        if (counted.isDone()) {
            counted.join();
        }
    }

    /** Counts a permit permanently if the attempt failed; otherwise returns it. */
    private void release(Ticket permit, boolean failed) {
        if (permit != call) {
            permit.loginEnded(failed);
            permit.ended(Ticket.UNANSWERED);
            return;
        }
        boolean isLast;
        synchronized (this) {
            ownCounts = failed;
            isLast = callHasEnded;
        }
        own.forEach(taking -> {
            if (!failed || isLast) {
                call.end(taking, failed ? Ticket.UNANSWERED : Taken.NOT_SERVED, failed);
            } else if (!taking.isReserved()) {
                call.keep(taking);
            }
        });
    }

    /**
     * Ends the call. Attempts that are still in flight keep their permits.
     *
     * @return whether the permit that the call took when it began has to be counted or returned now
     */
    boolean callEnded(int status) {
        Ticket permit;
        boolean endsWithCall;
        synchronized (this) {
            callHasEnded = true;
            permit = held;
            held = null;
            endsWithCall = permit == call || ownCounts;
        }
        if (permit != null && permit != call) {
            permit.ended(status);
        }
        return endsWithCall;
    }

    /** Whether the permit that the call took when it began is counted as a failed login. */
    synchronized boolean ownCounts() {
        return ownCounts;
    }

    /** Whether the result of a login has been or will be reported. */
    synchronized boolean isReported() {
        return isReported || attempts > 0;
    }

    private synchronized boolean hasBegun() {
        return hasBegun;
    }

    /** Records for each endpoint whether the result of a login was reported to it. */
    void tellEndpoints() {
        boolean isKnown = isReported();
        own.stream()
                .map(taking -> taking.compiledEndpoint.endpoint.id())
                .distinct()
                .forEach(id -> limiter.logins().ended(id, isKnown));
        boolean areAnnounced = hasBegun();
        perLogin.stream()
                .map(limit -> limit.compiledEndpoint().endpoint.id())
                .distinct()
                .forEach(id -> limiter.logins().endedPerLogin(id, areAnnounced));
    }
}
