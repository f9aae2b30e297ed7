package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.LoginTicket;
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
 * <p>Limits per login are apart from this: until an attempt, nobody knows its name. So the call takes nothing there,
 * and each attempt takes a permit of its name's counter, which counts or comes back when the attempt ends. If either
 * permit is missing, the attempt takes none.
 *
 * <p>Thread-safe. Its lock guards the fields, and is never held while a permit is taken, counted or returned.
 */
final class Logins {

    private final Owner call;
    private final LimiterParts limiter;
    private final Call shown;
    private final List<Taken> own = new ArrayList<>(1);
    private final List<LimitPerLogin> perLogin = new ArrayList<>(0);

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
    /** Whether anybody has announced an attempt. */
    private boolean hasBegun;
    /** What the latest attempt with a name took at limits per login. */
    private List<LimitPerLogin.Tried> lastTried = List.of();

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

    /** Adds limits that count attempts by their names. */
    void await(List<LimitPerLogin> limits) {
        perLogin.addAll(limits);
    }

    /**
     * Begins an attempt, if enough is left. Blocks this thread while a new call would be pending.
     *
     * @param name the name that it tries; {@code null} if it has none
     */
    LoginTicket.Attempt begin(@Nullable String name) {
        List<LimitPerLogin.Tried> tried = name == null
                ? List.of()
                : perLogin.stream().map(limit -> limit.by(name)).toList();
        synchronized (this) {
            hasBegun = true;
            lastTried = tried.isEmpty() ? lastTried : tried;
        }
        Decision byName = tried.isEmpty() ? Decision.UNLIMITED : decide(tried);
        if (!byName.admitted()) {
            return new RefusedLogin(byName);
        }
        boolean isBegun = false;
        try {
            LoginTicket.Attempt attempt = begin(byName.ticket());
            isBegun = attempt.refusal() == null;
            return attempt;
        } finally {
            if (!isBegun) {
                endNamed(byName.ticket(), false);
            }
        }
    }

    private Decision decide(List<LimitPerLogin.Tried> tried) {
        List<TierAcquisition> parts = new ArrayList<>(tried.size());
        tried.forEach(one -> one.addTo(parts));
        return limiter.attempts().decide(shown, parts, true, limiter).inTurn();
    }

    private LoginTicket.Attempt begin(@Nullable Ticket named) {
        synchronized (this) {
            hasFailed &= attempts > 0;
            attempts++;
            if (held != null) {
                Ticket permit = held;
                held = null;
                return new BegunLogin(permit, named);
            }
        }
        boolean isAdmitted = false;
        try {
            Decision decision = limiter.attempts()
                    .decide(shown, own.stream().map(Taken::again).toList(), false, limiter)
                    .inTurn();
            isAdmitted = decision.admitted();
            return isAdmitted ? new BegunLogin(decision.ticket(), named) : new RefusedLogin(decision);
        } finally {
            if (!isAdmitted) {
                synchronized (this) {
                    attempts--;
                }
            }
        }
    }

    /** An attempt that must not be made. */
    private record RefusedLogin(Decision refusal) implements LoginTicket.Attempt {

        @Override
        public void ended(boolean failed) {
            // it was never made
        }
    }

    /** An attempt in flight, with its permits; {@code null} where it needs none. */
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
     * An application reports how a login ended, outside of attempts or within one. A failure counts even if the call
     * holds no permit any more, because it was logged in.
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
            Decision byName = decide(tried);
            endNamed(byName.ticket(), true);
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

    private synchronized boolean hasBegun() {
        return hasBegun;
    }

    /** Notes which endpoints have heard how a login ended. */
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
