package dev.sluice.webflux;

import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Reservation;
import dev.sluice.ResponseOptions;
import dev.sluice.Ticket;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.http.request.GuardedLogins;
import dev.sluice.internal.http.request.RequestLogins;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;
import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.Context;

/**
 * Stores the decisions that limiters have made about an exchange, until the exchange ends. This object is an attribute
 * of the exchange, so that filters do not consult the same limiter twice. If the caller disconnects before a decision
 * is made, the ticket of that decision ends immediately. Thread-safe.
 */
final class ExchangeInFlight {

    private static final String ATTRIBUTE = ExchangeInFlight.class.getName();
    private static final Reservation NOTHING =
            new Reservations(List.of(), new FaultLog(NOPLogger.NOP_LOGGER, Level.ERROR));

    private final FaultLog faults;
    private final RequestLogins logins = new RequestLogins();
    private @Nullable Decided latest;
    private boolean hasEnded;

    ExchangeInFlight(FaultLog faults) {
        this.faults = faults;
    }

    /**
     * The decision of one limiter.
     *
     * @param limiter the limiter that made the decision
     * @param responses the response options in force when the limiter was called
     * @param askedAtMillis when the limiter was called, in milliseconds since 1970; 0 if no header needs the time
     * @param earlier an earlier decision about the same exchange by a different limiter; {@code null} if there is none
     */
    record Decided(
            RateLimiter limiter,
            Decision decision,
            ResponseOptions responses,
            long askedAtMillis,
            @Nullable Decided earlier) {}

    /** The decisions about an exchange; {@code null} if no limiter has been called. */
    static @Nullable ExchangeInFlight of(ServerWebExchange exchange) {
        return exchange.getAttributes().get(ATTRIBUTE) instanceof ExchangeInFlight known ? known : null;
    }

    void keepIn(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
    }

    synchronized boolean hasAsked(RateLimiter limiter) {
        Decided decided = latest;
        while (decided != null && decided.limiter != limiter) {
            decided = decided.earlier;
        }
        return decided != null;
    }

    /** Adds a decision. */
    Decided add(RateLimiter limiter, Decision decision, ResponseOptions responses, long askedAtMillis) {
        Decided decided;
        boolean isLate;
        synchronized (this) {
            decided = new Decided(limiter, decision, responses, askedAtMillis, latest);
            latest = decided;
            isLate = hasEnded;
            if (decision.ticket() != null) {
                logins.follow(tickets().stream()
                        .map(ticket -> new GuardedLogins(ticket, faults::report))
                        .toList());
            }
        }
        if (isLate) {
            end(decision::ended, Ticket.UNANSWERED);
        }
        return decided;
    }

    /** Reports the end of the exchange to all limiters. */
    void end(int status) {
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            hasEnded = true;
        }
        tickets().forEach(ticket -> end(ticket::ended, status));
    }

    private void end(IntConsumer call, int status) {
        try {
            call.accept(status);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed at the end of a call; the call itself is not affected.", e);
        }
    }

    private synchronized List<Ticket> tickets() {
        List<Ticket> tickets = new ArrayList<>(1);
        for (Decided decided = latest; decided != null; decided = decided.earlier) {
            Ticket ticket = decided.decision.ticket();
            if (ticket != null) {
                tickets.add(ticket);
            }
        }
        return tickets;
    }

    /** Tells the limiter whether the login attempt in this exchange failed. */
    static void loginEnded(ServerWebExchange exchange, boolean failed) {
        ExchangeInFlight inFlight = of(exchange);
        if (inFlight != null) {
            inFlight.logins.ended(failed);
        }
    }

    /** Whether the given decision refused a login attempt made during the exchange. */
    static boolean hasRefusedLogin(ServerWebExchange exchange, Decision decision) {
        ExchangeInFlight inFlight = of(exchange);
        return inFlight != null && inFlight.logins.haveRefused(decision);
    }

    /** Adds to a Reactor context this object, for filters, and the login attempts, for authentication managers. */
    Context in(Context context) {
        return context.put(ExchangeInFlight.class, this).put(RequestLogins.class, logins);
    }

    /** A reservation that combines the reservations of all limiters for the exchange. */
    static Reservation reservation(ServerWebExchange exchange) {
        ExchangeInFlight inFlight = of(exchange);
        return inFlight == null ? NOTHING : new Reservations(inFlight.tickets(), inFlight.faults);
    }

    /**
     * A reservation for several tickets. It validates the amount even if there are no tickets, so that an invalid
     * amount is always rejected.
     */
    private record Reservations(List<Ticket> tickets, FaultLog faults) implements Reservation {

        @Override
        public Charge charge(long amount) {
            requireCost(amount, "a charge cannot be undone");
            Charge all = Charge.NOT_COUNTED;
            for (Ticket ticket : tickets) {
                try {
                    all = all.and(ticket.charge(amount));
                } catch (RuntimeException | Error e) {
                    faults.report("The rate limiter failed to charge a call; the call continues, uncharged.", e);
                }
            }
            return all;
        }

        @Override
        public boolean settle(long actual) {
            requireCost(actual, "settle 0 to release the whole reservation");
            boolean any = false;
            for (Ticket ticket : tickets) {
                try {
                    any |= ticket.settle(actual);
                } catch (RuntimeException | Error e) {
                    faults.report(
                            "The rate limiter failed to settle the cost of a call; its estimate remains counted.", e);
                }
            }
            return any;
        }

        private static void requireCost(long amount, String why) {
            if (amount < 0) {
                throw new IllegalArgumentException("amount " + amount + " is negative; " + why);
            }
        }
    }
}
