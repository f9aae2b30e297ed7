package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one call: the outcome, and the figures of the reported tier. That is the tier that refuses; if none
 * does, the one with the smallest part of its limit left. A plain value: whoever asked acts on it.
 */
public final class Decision {

    /** No enabled endpoint applies to the call. */
    public static final Decision UNLIMITED = new Decision(Outcome.UNLIMITED, null, null, List.of(), 0, 0, 0, null);

    /** Tells the ticket that its call was not served, since too many others wait. */
    private static final int BUSY = 503;

    private final Outcome outcome;
    private final @Nullable Endpoint endpoint;
    private final @Nullable Tier tier;
    private final List<Subject> subjects;
    private final long remaining;
    private final long resetAfterMillis;
    private final Rest rest;

    /**
     * What most decisions do not have, apart, so that those are small.
     */
    private record Rest(
            long retryAfterMillis,
            @Nullable Ticket ticket,
            long cost,
            @Nullable Told instead) {
        static final Rest NONE = new Rest(0, null, 0, null);
    }

    /**
     * Creates a decision without a cost; headers show the reported tier.
     *
     * @param outcome what happens to the call
     * @param endpoint the endpoint of the reported tier, {@code null} if no endpoint applies
     * @param tier the reported tier, {@code null} if no endpoint applies
     * @param subjects who was counted
     * @param remaining how many further calls of this caller the reported tier would admit now
     * @param resetAfterMillis the time until the tier's window ends, or until its whole limit is available again
     * @param retryAfterMillis after a refusal, the time after which a retry passes if nobody else calls; otherwise 0
     * @param ticket what the application uses until the call ends, for limits that need it; otherwise {@code null}
     */
    public Decision(
            Outcome outcome,
            @Nullable Endpoint endpoint,
            @Nullable Tier tier,
            List<Subject> subjects,
            long remaining,
            long resetAfterMillis,
            long retryAfterMillis,
            @Nullable Ticket ticket) {
        this(
                outcome,
                endpoint,
                tier,
                subjects,
                remaining,
                resetAfterMillis,
                retryAfterMillis == 0 && ticket == null ? Rest.NONE : new Rest(retryAfterMillis, ticket, 0, null));
    }

    private Decision(
            Outcome outcome,
            @Nullable Endpoint endpoint,
            @Nullable Tier tier,
            List<Subject> subjects,
            long remaining,
            long resetAfterMillis,
            Rest rest) {
        this.outcome = outcome;
        this.endpoint = endpoint;
        this.tier = tier;
        this.subjects = subjects;
        this.remaining = remaining;
        this.resetAfterMillis = resetAfterMillis;
        this.rest = rest;
    }

    /**
     * What a caller may know of a limit.
     *
     * @param remaining how many further calls of this caller the tier would admit now
     * @param resetAfterMillis as in a decision
     * @param isBeyond whether the call passed over the tier's threshold
     */
    public record Told(Endpoint endpoint, Tier tier, long remaining, long resetAfterMillis, boolean isBeyond) {}

    /** What happens to a call. */
    public enum Outcome {
        /** It passes: no endpoint applies. Responses get no headers. */
        UNLIMITED,
        /** It passes and was counted. */
        ADMITTED,
        /** It passes and was counted, over the threshold but within the tier's overage. */
        ADMITTED_BEYOND,
        /**
         * It passes because its caller is exempt. It was counted unless a limit was used up. Responses get no headers.
         */
        EXEMPT,
        /** It passes only because of a dry run. */
        WOULD_REFUSE,
        /** It does not pass, and nothing was counted. */
        REFUSED,
        /**
         * It does not pass, and nothing was counted: it would have to wait, and the number of waiting threads is at its
         * maximum.
         */
        REFUSED_BUSY,
        /** It does not pass, and nothing was counted: its caller is blocked, see {@link Block}. */
        REFUSED_BLOCKED
    }

    /** This decision with another outcome. */
    public Decision withOutcome(Outcome other) {
        return new Decision(other, endpoint, tier, subjects, remaining, resetAfterMillis, rest);
    }

    /** This decision with another ticket. */
    public Decision withTicket(@Nullable Ticket carried) {
        return with(new Rest(rest.retryAfterMillis, carried, rest.cost, rest.instead));
    }

    /** This decision with another retry time. */
    public Decision withRetryAfter(long millis) {
        return with(new Rest(millis, rest.ticket, rest.cost, rest.instead));
    }

    /** This decision with another cost of the call. */
    public Decision withCost(long other) {
        return with(new Rest(rest.retryAfterMillis, rest.ticket, other, rest.instead));
    }

    /** This decision with another limit for headers to show. */
    public Decision withInstead(Told other) {
        return with(new Rest(rest.retryAfterMillis, rest.ticket, rest.cost, other));
    }

    private Decision with(Rest other) {
        return new Decision(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, other);
    }

    /** What happens to the call. */
    public Outcome outcome() {
        return outcome;
    }

    /** The endpoint of the reported tier, {@code null} if no endpoint applies. */
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /** The reported tier, {@code null} if no endpoint applies. */
    public @Nullable Tier tier() {
        return tier;
    }

    /** Who was counted. */
    public List<Subject> subjects() {
        return subjects;
    }

    /** How many further calls of this caller the reported tier would admit now. */
    public long remaining() {
        return remaining;
    }

    /** The time until the reported tier's window ends, or until its whole limit is available again. */
    public long resetAfterMillis() {
        return resetAfterMillis;
    }

    /**
     * After a refusal, the time after which a retry passes if nobody else calls, unless it {@link #neverPasses()};
     * otherwise 0.
     */
    public long retryAfterMillis() {
        return rest.retryAfterMillis;
    }

    /** What the application uses until the call ends, for limits that need it; otherwise {@code null}. */
    public @Nullable Ticket ticket() {
        return rest.ticket;
    }

    /** After a refusal, the cost of the call in the reported tier; otherwise 0. */
    public long cost() {
        return rest.cost;
    }

    /**
     * What headers tell the caller: the figures of the reported tier or, if its endpoint shows no headers, of another tier
     * that let the call pass. {@code null} for nothing.
     */
    public @Nullable Told told() {
        return endpoint == null || tier == null || !endpoint.showsHeaders()
                ? rest.instead
                : new Told(endpoint, tier, remaining, resetAfterMillis, outcome == Outcome.ADMITTED_BEYOND);
    }

    /**
     * Waits on this thread for the turn of an admitted call, if a queue has given it one. If too many threads wait already, or
     * this one is interrupted, the call is refused instead: that is what this returns, and the call has ended.
     */
    public Decision inTurn() {
        Ticket held = rest.ticket;
        if (!admitted() || held == null || hasTurn(held)) {
            return this;
        }
        Decision busy = busy();
        held.ended(BUSY); // a ticket of the limiter has given back all that the call took
        return busy;
    }

    /** The same call, refused since too many wait already. A retry at the time of its turn need not wait. */
    public Decision busy() {
        long turnMillis = rest.ticket == null ? 0 : rest.ticket.delayMillis();
        return withOutcome(Outcome.REFUSED_BUSY).withRetryAfter(turnMillis).withTicket(null);
    }

    private static boolean hasTurn(Ticket ticket) {
        try {
            return ticket.awaitTurn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the call may proceed. */
    public boolean admitted() {
        return outcome != Outcome.REFUSED && outcome != Outcome.REFUSED_BUSY && outcome != Outcome.REFUSED_BLOCKED;
    }

    /** Whether the call costs more than the reported tier ever admits at once, so that no retry passes. */
    public boolean neverPasses() {
        return tier != null && rest.cost > tier.most();
    }

    /** The threshold of the reported tier; 0 if there is none. */
    public long limit() {
        return tier == null ? 0 : tier.limit().threshold();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Decision decision
                && outcome == decision.outcome
                && remaining == decision.remaining
                && resetAfterMillis == decision.resetAfterMillis
                && Objects.equals(endpoint, decision.endpoint)
                && Objects.equals(tier, decision.tier)
                && subjects.equals(decision.subjects)
                && rest.equals(decision.rest);
    }

    @Override
    public int hashCode() {
        return Objects.hash(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, rest);
    }

    /** For logs and tests; the form may change. */
    @Override
    public String toString() {
        return "Decision[" + outcome + ", " + endpoint + ", " + tier + ", " + subjects + ", remaining=" + remaining
                + ", resetAfterMillis=" + resetAfterMillis + ", " + rest + "]";
    }
}
