package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call to log in, at limits that count failed logins. Each attempt holds a slot, from its beginning
 * to its end:
 *
 * <pre>
 * held by the call ── begin ──▶ in use ── failed ─────▶ counted
 *       ▲                         │ │
 *       │                         │ └─ not failed ────▶ returned
 *       └── not failed, and the call neither makes another attempt nor has ended
 * </pre>
 *
 * The slot that the call took when it began is at first held by the call. If the call holds none, an attempt takes
 * another one. So attempts at the same time have one each, and an attempt that waits for a slot gets those that other
 * attempts of the same call return.
 *
 * <p>Thread-safe. Its lock guards the fields, and is never held while a slot is taken, counted or returned.
 */
final class Logins {

    private final Owner call;
    private final LimiterParts limiter;
    private final Call shown;
    private final List<Taken> own = new ArrayList<>(1);

    /** Whose slot the call holds for its next attempt: its own or that of an earlier attempt. */
    private @Nullable Ticket held;
    /** The number of attempts that are in flight or wait for a slot. */
    private int attempts;
    /**
     * Whether an attempt has failed since the last time without an attempt in flight. A further report repeats that
     * failure.
     */
    private boolean hasFailed;
    /** Whether a failure was reported while attempts were in flight. It belongs to the attempt that ends first. */
    private boolean nextFails;
    /** Whether the own slot counts. */
    private boolean ownCounts;

    private boolean isReported;
    private boolean callHasEnded;

    /** The call: it has the slot that it took when it began. */
    interface Owner extends Ticket {

        /** It counts for good: calls that wait for it to come back wait no longer. */
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

    /** Begins an attempt; {@code null} if too little is left. Blocks this thread while a new call would wait. */
    Ticket.@Nullable Login begin() {
        synchronized (this) {
            hasFailed &= attempts > 0;
            attempts++;
            if (held != null) {
                Ticket slot = held;
                held = null;
                return new Attempt(slot);
            }
        }
        boolean isAdmitted = false;
        try {
            Decision decision = limiter.laterLogins()
                    .decide(shown, own.stream().map(Taken::again).toList(), limiter);
            Ticket slot = decision.ticket();
            isAdmitted = slot == null ? decision.admitted() : isItsTurn(slot);
            return isAdmitted ? new Attempt(slot) : null;
        } finally {
            if (!isAdmitted) {
                synchronized (this) {
                    attempts--;
                }
            }
        }
    }

    private static boolean isItsTurn(Ticket slot) {
        try {
            return slot.awaitTurn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** An attempt in flight, with its slot; {@code null} if it needs none. */
    private final class Attempt implements Ticket.Login {

        private final @Nullable Ticket slot;
        private final AtomicBoolean hasEnded = new AtomicBoolean();

        Attempt(@Nullable Ticket slot) {
            this.slot = slot;
        }

        @Override
        public void ended(boolean failed) {
            if (hasEnded.compareAndSet(false, true)) {
                attemptEnded(slot, failed);
            }
        }
    }

    private void attemptEnded(@Nullable Ticket slot, boolean isSeenToFail) {
        boolean failed;
        synchronized (this) {
            attempts--;
            failed = isSeenToFail || nextFails;
            nextFails = false;
            hasFailed |= failed;
            isReported = true;
            if (slot == null) {
                return;
            }
            if (!failed && attempts == 0 && !callHasEnded) {
                held = slot;
                return;
            }
        }
        release(slot, failed);
    }

    /**
     * An application reports how a login ended, outside of attempts or within one. A failure counts even if the call
     * holds no slot any more, because it was logged in.
     */
    void reported(boolean failed) {
        Ticket slot;
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
            slot = held;
            held = null;
        }
        if (slot != null) {
            release(slot, failed);
        } else if (failed) {
            own.forEach(call::chargeAgain);
        }
    }

    /** A slot counts for good or comes back. */
    private void release(Ticket slot, boolean failed) {
        if (slot != call) {
            slot.loginEnded(failed);
            slot.ended(Ticket.UNANSWERED);
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
     * The call has ended. Attempts that are still in flight keep their slots.
     *
     * @return whether the slot that the call took when it began ends with it
     */
    boolean callEnded(int status) {
        Ticket slot;
        boolean endsWithCall;
        synchronized (this) {
            callHasEnded = true;
            slot = held;
            held = null;
            endsWithCall = slot == call || ownCounts;
        }
        if (slot != null && slot != call) {
            slot.ended(status);
        }
        return endsWithCall;
    }

    /** Whether the slot that the call took when it began counts a failed login. */
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
