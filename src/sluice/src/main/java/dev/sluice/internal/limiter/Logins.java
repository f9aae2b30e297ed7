package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call to log in, at limits that count failed logins. Each attempt holds a permit, from its
 * beginning to its end:
 *
 * <pre>
 * held by the call ── begin ──▶ in use ── failed ─────▶ counted
 *       ▲                         │ │
 *       │                         │ └─ not failed ────▶ returned
 *       └── not failed, and the call neither makes another attempt nor has ended
 * </pre>
 *
 * The permit that the call took when it began is at first held by the call. If the call holds none, an attempt takes
 * another one. So attempts at the same time have one each, and an attempt that lacks a permit gets those that other
 * attempts of the same call return.
 *
 * <p>Thread-safe. Its lock guards the fields, and is never held while a permit is taken, counted or returned.
 */
final class Logins {

    private final Owner call;
    private final LimiterParts limiter;
    private final Call shown;
    private final List<Taken> own = new ArrayList<>(1);

    /** Whose permit the call holds for its next attempt: its own or that of an earlier attempt. */
    private @Nullable Ticket held;
    /** The number of attempts that are in flight or lack a permit. */
    private int attempts;
    /**
     * Whether an attempt has failed since the last time without an attempt in flight. A further report repeats that
     * failure.
     */
    private boolean hasFailed;
    /** Whether a failure was reported while attempts were in flight. It belongs to the attempt that ends first. */
    private boolean nextFails;
    /** Whether the own permit counts. */
    private boolean ownCounts;

    private boolean isReported;
    private boolean callHasEnded;

    /** The call: it has the permit that it took when it began. */
    interface Owner extends Ticket {

        /** It counts for good: calls no longer await its outcome. */
        void keep(Taken taking);

        /** Refunds what does not count of what the call took there. */
        void end(Taken taking, int status, boolean loginFailed);

        /** Counts once more what the call took there: it failed to log in after that was returned. */
        void chargeAgain(Taken taking);
    }

    Logins(Owner call, LimiterParts limiter, Call by) {
        this.call = call;
        this.limiter = limiter;
        this.shown = new CallOfLogin(by.method(), by.path(), by.ip());
        this.held = call;
    }

    /**
     * What listeners hear of the call when an attempt is refused: it may come from any thread, and after the server has
     * recycled the request.
     */
    private record CallOfLogin(String method, String path, String ip) implements Call {

        @Override
        public boolean holdsThread() {
            return true;
        }
    }

    /** Adds what the call took in a limit on failed logins. */
    void add(Taken taking) {
        own.add(taking);
    }

    /** Begins an attempt; {@code null} if too little is left. Blocks this thread while a new call would be pending. */
    Ticket.@Nullable Login begin() {
        synchronized (this) {
            hasFailed &= attempts > 0;
            attempts++;
            if (held != null) {
                Ticket permit = held;
                held = null;
                return new Attempt(permit);
            }
        }
        boolean isAdmitted = false;
        try {
            Decision decision = limiter.laterLogins()
                    .decide(shown, own.stream().map(Taken::again).toList(), limiter);
            Ticket permit = decision.ticket();
            isAdmitted = permit == null ? decision.admitted() : isItsTurn(permit);
            return isAdmitted ? new Attempt(permit) : null;
        } finally {
            if (!isAdmitted) {
                synchronized (this) {
                    attempts--;
                }
            }
        }
    }

    private static boolean isItsTurn(Ticket permit) {
        try {
            return permit.awaitTurn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** An attempt in flight, with its permit; {@code null} if it needs none. */
    private final class Attempt implements Ticket.Login {

        private final @Nullable Ticket permit;
        private final AtomicBoolean hasEnded = new AtomicBoolean();

        Attempt(@Nullable Ticket permit) {
            this.permit = permit;
        }

        @Override
        public void ended(boolean failed) {
            if (hasEnded.compareAndSet(false, true)) {
                attemptEnded(permit, failed);
            }
        }
    }

    private void attemptEnded(@Nullable Ticket permit, boolean isSeenToFail) {
        boolean failed;
        synchronized (this) {
            attempts--;
            failed = isSeenToFail || nextFails;
            nextFails = false;
            hasFailed |= failed;
            isReported = true;
            if (permit == null) {
                return;
            }
            if (!failed && attempts == 0 && !callHasEnded) {
                held = permit;
                return;
            }
        }
        release(permit, failed);
    }

    /**
     * An application reports how a login ended, outside of attempts or within one. A failure counts even if the call
     * holds no permit any more, because it was logged in.
     */
    void reported(boolean failed) {
        Ticket permit;
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
        }
        if (permit != null) {
            release(permit, failed);
        } else if (failed) {
            own.forEach(call::chargeAgain);
        }
    }

    /** A permit counts for good or comes back. */
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
     * The call has ended. Attempts that are still in flight keep their permits.
     *
     * @return whether the permit that the call took when it began ends with it
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

    /** Whether the permit that the call took when it began counts a failed login. */
    synchronized boolean ownCounts() {
        return ownCounts;
    }

    /** Whether somebody has reported how a login ended, or will. */
    synchronized boolean isReported() {
        return isReported || attempts > 0;
    }

    /** Notes which endpoints have heard how a login ended. */
    void tellEndpoints() {
        boolean isKnown = isReported();
        own.stream()
                .map(taking -> taking.compiledEndpoint.endpoint.id())
                .distinct()
                .forEach(id -> limiter.logins().ended(id, isKnown));
    }
}
