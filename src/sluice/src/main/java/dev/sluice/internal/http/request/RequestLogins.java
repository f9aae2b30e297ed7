package dev.sluice.internal.http.request;

import dev.sluice.Decision;
import dev.sluice.LoginTicket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The login attempts of one request. All limiters that have decided the request judge these attempts. Other threads can
 * use this object even after the request has ended and the container has recycled it, because this object does not
 * refer to the request. Thread-safe.
 */
public final class RequestLogins {

    /** The name of the request attribute. */
    public static final String ATTRIBUTE = RequestLogins.class.getName();

    private volatile List<GuardedLogins> limiters = List.of();
    private volatile boolean hasTried;
    private volatile boolean hasFailed;
    /**
     * The latest refusal of an attempt that was begun without blocking; {@code null} if no such attempt was refused.
     */
    private volatile @Nullable Decision refusal;
    /** The {@code Authorization} header that was passed to {@link #prove}; {@code null} if there is none. */
    private volatile @Nullable String toProve;

    private volatile boolean hasProven;

    public RequestLogins() {}

    /** Sets the limiters that judge login attempts from now on. */
    public void follow(List<GuardedLogins> all) {
        limiters = all;
    }

    /**
     * Begins an attempt if all limits admit it. This method can block the thread.
     *
     * @param name the user name of the attempt; {@code null} if it has none
     */
    public LoginTicket.Attempt begin(@Nullable String name) {
        hasTried = true;
        List<LoginTicket.Attempt> begun = new ArrayList<>(1);
        for (GuardedLogins limiter : limiters) {
            LoginTicket.Attempt login = limiter.begin(name);
            if (login.refusal() != null) {
                begun.forEach(admitted -> admitted.ended(false));
                return login;
            }
            begun.add(login);
        }
        return together(begun);
    }

    /**
     * Begins an attempt if all limits admit it, without blocking a thread.
     *
     * @param name the user name of the attempt; {@code null} if it has none
     * @param executor completes the result if the attempt was pending
     * @return a future that completes with the attempt; cancelling it abandons the attempt
     */
    public CompletableFuture<LoginTicket.Attempt> begin(@Nullable String name, Executor executor) {
        hasTried = true;
        CompletableFuture<LoginTicket.Attempt> result = new CompletableFuture<>();
        begin(name, executor, limiters, new ArrayList<>(1), result);
        return result;
    }

    private void begin(
            @Nullable String name,
            Executor executor,
            List<GuardedLogins> left,
            List<LoginTicket.Attempt> begun,
            CompletableFuture<LoginTicket.Attempt> result) {
        if (left.isEmpty()) {
            LoginTicket.Attempt all = together(begun);
            if (!result.complete(all)) {
                all.ended(false);
            }
            return;
        }
        CompletableFuture<LoginTicket.Attempt> asked = left.get(0).begin(name, executor);
        var unused = result.whenComplete((attempt, fault) -> asked.cancel(false));
        var unusedToo = asked.whenComplete((login, cancelled) -> {
            if (login == null || login.refusal() != null) {
                refusal = login == null ? null : login.refusal();
                begun.forEach(admitted -> admitted.ended(false));
                result.complete(login == null ? LoginTicket.Attempt.UNCOUNTED : login);
                return;
            }
            begun.add(login);
            begin(name, executor, left.subList(1, left.size()), begun, result);
        });
    }

    private LoginTicket.Attempt together(List<LoginTicket.Attempt> begun) {
        return failed -> {
            note(failed);
            begun.forEach(login -> login.ended(failed));
        };
    }

    /** Reports the outcome of a login attempt. */
    public void ended(boolean failed) {
        note(failed);
        limiters.forEach(limiter -> limiter.ended(failed));
    }

    private void note(boolean failed) {
        if (failed) { // another thread can record a failure at the same time
            hasFailed = true;
        }
    }

    /** Starts to watch whether the credentials in the given {@code Authorization} header are accepted. */
    public void prove(String authorization) {
        toProve = authorization;
    }

    /** Records that the given credentials were checked and accepted. */
    public void accepted(@Nullable String name, @Nullable Object secret) {
        String expected = toProve;
        if (expected != null && PageCredentials.hold(expected, name, secret)) {
            hasProven = true;
        }
    }

    /** Whether the credentials passed to {@link #prove} were accepted. */
    public boolean haveProven() {
        return hasProven;
    }

    /** Whether this decision is the latest refusal of an attempt that was begun without blocking. */
    public boolean haveRefused(Decision decision) {
        return decision.equals(refusal);
    }

    /** Records that an attempt was made without a decision by any limiter. */
    public void tried() {
        hasTried = true;
    }

    /** Whether an attempt was made. */
    public boolean haveBegun() {
        return hasTried;
    }

    /** Whether an attempt has failed. */
    public boolean haveFailed() {
        return hasFailed;
    }
}
