package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a call: whether the call may proceed, and the figures to show to the caller. The limiter only
 * decides. The calling code then serves or rejects the call.
 *
 * <pre>{@code
 * Decision decision = limiter.decide(call).inTurn();
 * if (!decision.admitted()) {
 *     return tooManyRequests(decision.retryAfterSeconds());
 * }
 * int status = 500;
 * try {
 *     status = serve(call);
 * } finally {
 *     decision.ended(status);
 * }
 * }</pre>
 *
 * <p>The figures are those of the <em>reported tier</em>. This is the tier that refuses the call. If no tier refuses
 * the call, it is the tier with the smallest fraction of its limit remaining.
 *
 * <p>Immutable and thread-safe. Only the {@link Ticket}, if there is one, has state, because it represents the call in
 * flight.
 */
public final class Decision {

    /** The decision if no endpoint applies to the call, or if all applicable endpoints are off. */
    public static final Decision UNLIMITED = new Decision(Outcome.UNLIMITED, null, null, List.of(), 0, 0, 0, null);

    /** The response status of a call that was refused because too many calls are pending. */
    private static final int BUSY = 503;

    private static final long MILLIS_A_SECOND = 1_000;

    private final Outcome outcome;
    private final @Nullable Endpoint endpoint;
    private final @Nullable Tier tier;
    private final List<Subject> subjects;
    private final long remaining;
    private final long resetAfterMillis;
    private final Extras extras;

    /**
     * The fields that most decisions do not need. A separate object stores them, so that most decisions occupy less
     * memory.
     */
    private record Extras(
            long retryAfterMillis,
            @Nullable Ticket ticket,
            long cost,
            @Nullable Shown shown,
            List<Shown> shownLimits,
            List<Endpoint> otherEndpoints) {
        static final Extras NONE = new Extras(0, null, 0, null, List.of(), List.of());
    }

    /**
     * Creates a decision without a cost. Headers show the figures of the reported tier.
     *
     * @param outcome what happens to the call
     * @param endpoint the endpoint of the reported tier; {@code null} if no endpoint applies
     * @param tier the reported tier; {@code null} if no endpoint applies
     * @param subjects the caller's subjects
     * @param remaining how many more calls of this caller the reported tier would admit now
     * @param resetAfterMillis the time until the tier's window ends, or until its whole limit is available again
     * @param retryAfterMillis after a refusal, how long to wait before a retry; otherwise 0
     * @param ticket the ticket that receives the end of the call; {@code null} if the limiter does not need this report
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
        this(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, retryAfterMillis, 0, ticket);
    }

    /**
     * Creates a decision with the cost of the call. Headers show the figures of the reported tier. The other parameters
     * are the same as in the constructor without a cost.
     *
     * @param cost the number of permits that a refused call needed from the reported tier; 0 to hide the cost from the
     *     caller
     */
    public Decision(
            Outcome outcome,
            @Nullable Endpoint endpoint,
            @Nullable Tier tier,
            List<Subject> subjects,
            long remaining,
            long resetAfterMillis,
            long retryAfterMillis,
            long cost,
            @Nullable Ticket ticket) {
        this(
                outcome,
                endpoint,
                tier,
                subjects,
                remaining,
                resetAfterMillis,
                retryAfterMillis == 0 && cost == 0 && ticket == null
                        ? Extras.NONE
                        : new Extras(retryAfterMillis, ticket, cost, null, List.of(), List.of()));
    }

    private Decision(
            Outcome outcome,
            @Nullable Endpoint endpoint,
            @Nullable Tier tier,
            List<Subject> subjects,
            long remaining,
            long resetAfterMillis,
            Extras extras) {
        this.outcome = outcome;
        this.endpoint = endpoint;
        this.tier = tier;
        this.subjects = subjects;
        this.remaining = remaining;
        this.resetAfterMillis = resetAfterMillis;
        this.extras = extras;
    }

    /**
     * The figures of one limit that headers show to the caller.
     *
     * @param remaining how many more calls of this caller the tier would admit now
     * @param resetAfterMillis the time until the tier's window ends, or until its whole limit is available again
     * @param isBeyond whether the call passed beyond the tier's threshold
     */
    public record Shown(Endpoint endpoint, Tier tier, long remaining, long resetAfterMillis, boolean isBeyond) {}

    /**
     * What happens to a call. If the name of the outcome starts with {@code REFUSED}, the call is refused. Otherwise,
     * it proceeds.
     */
    public enum Outcome {
        /** The call proceeds because no endpoint applies. The response shows no headers. */
        UNLIMITED,
        /** The call was counted and proceeds. */
        ADMITTED,
        /** The call was counted beyond the threshold, but within the tier's overage. It proceeds. */
        ADMITTED_BEYOND,
        /**
         * The call proceeds because the caller is exempt. It was counted, unless a limit was used up. The response
         * shows no headers.
         */
        EXEMPT,
        /** The call proceeds only because of a dry run. An enforced limit would refuse it. */
        WOULD_REFUSE,
        /** A limit refused the call. Nothing was counted. */
        REFUSED,
        /**
         * The call was refused because it would have to be pending, and {@code pendingCalls} allows no more pending
         * calls. Nothing was counted.
         */
        REFUSED_BUSY,
        /** The call was refused because of a {@link Block} of its caller. Nothing was counted. */
        REFUSED_BLOCKED
    }

    /** A copy of this decision with the given outcome. */
    public Decision withOutcome(Outcome other) {
        return new Decision(other, endpoint, tier, subjects, remaining, resetAfterMillis, extras);
    }

    /** A copy of this decision with the given ticket. */
    public Decision withTicket(@Nullable Ticket carried) {
        return with(new Extras(
                extras.retryAfterMillis,
                carried,
                extras.cost,
                extras.shown,
                extras.shownLimits,
                extras.otherEndpoints));
    }

    /** A copy of this decision with the given retry time. */
    public Decision withRetryAfter(long millis) {
        return with(new Extras(
                millis, extras.ticket, extras.cost, extras.shown, extras.shownLimits, extras.otherEndpoints));
    }

    /** A copy of this decision with the given cost. */
    public Decision withCost(long other) {
        return with(new Extras(
                extras.retryAfterMillis,
                extras.ticket,
                other,
                extras.shown,
                extras.shownLimits,
                extras.otherEndpoints));
    }

    /**
     * A copy of this decision whose headers show the given limit, because the reported tier's endpoint shows no
     * headers.
     */
    public Decision withShown(Shown other) {
        return with(new Extras(
                extras.retryAfterMillis, extras.ticket, extras.cost, other, extras.shownLimits, extras.otherEndpoints));
    }

    /** A copy of this decision with the given {@link #shownLimits}. */
    public Decision withShownLimits(List<Shown> each) {
        return with(new Extras(
                extras.retryAfterMillis,
                extras.ticket,
                extras.cost,
                extras.shown,
                List.copyOf(each),
                extras.otherEndpoints));
    }

    /** A copy of this decision with the given {@link #otherEndpoints}. */
    public Decision withOtherEndpoints(List<Endpoint> others) {
        return with(new Extras(
                extras.retryAfterMillis, extras.ticket, extras.cost, extras.shown, extras.shownLimits, others));
    }

    private Decision with(Extras other) {
        return new Decision(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, other);
    }

    /** What happens to the call. */
    public Outcome outcome() {
        return outcome;
    }

    /** The endpoint of the reported tier; {@code null} if no endpoint applies. */
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /**
     * The other endpoints that apply to the call; empty for most calls. If the call proceeds, these endpoints also
     * admitted and counted it. If not, they did not count it. The list does not contain endpoints that report separate
     * decisions. If a call proceeds, the endpoints in dry run and the endpoints that exempt the caller report separate
     * decisions.
     */
    public List<Endpoint> otherEndpoints() {
        return extras.otherEndpoints;
    }

    /** The reported tier; {@code null} if no endpoint applies. */
    public @Nullable Tier tier() {
        return tier;
    }

    /** The subjects that identify the caller for the reported tier; empty if no endpoint applies. */
    public List<Subject> subjects() {
        return subjects;
    }

    /** How many more calls of this caller the reported tier would admit now. */
    public long remaining() {
        return remaining;
    }

    /** The time until the reported tier's window ends, or until its whole limit is available again. */
    public long resetAfterMillis() {
        return resetAfterMillis;
    }

    /**
     * After a refusal, the time to wait before a retry. The retry passes unless other calls of this caller use the
     * permits first. The time is 0 if the call was not refused, and meaningless if the call {@link #neverPasses()}.
     */
    public long retryAfterMillis() {
        return extras.retryAfterMillis;
    }

    /**
     * After a refusal, the value for {@code Retry-After}: the time to wait before a retry, in whole seconds, rounded
     * up, and at least 1. The value is 0 if the call was not refused, and meaningless if the call {@link
     * #neverPasses()}.
     */
    public long retryAfterSeconds() {
        return admitted() ? 0 : Math.max(1, -Math.floorDiv(-extras.retryAfterMillis, MILLIS_A_SECOND));
    }

    /**
     * The ticket for reporting the cost of the call, a failed login, and the end of the call; {@code null} if the
     * limiter does not need these reports. {@link #ended} also reports the end.
     */
    public @Nullable Ticket ticket() {
        return extras.ticket;
    }

    /**
     * The reservation for charging and settling the cost of the call. If no limit counts this cost, for example after a
     * refusal, the reservation has no effect.
     */
    public Reservation reservation() {
        return extras.ticket == null ? Uncounted.INSTANCE : extras.ticket;
    }

    /** The reservation of a call if no limit counts its cost. */
    private enum Uncounted implements Reservation {
        INSTANCE;

        @Override
        public Charge charge(long amount) {
            return Charge.NOT_COUNTED;
        }

        @Override
        public boolean settle(long actual) {
            return false;
        }
    }

    /** After a refusal, the cost of the call in the reported tier; otherwise 0. */
    public long cost() {
        return extras.cost;
    }

    /**
     * The limit that headers show to the caller. This is the limit of the reported tier. If the call was admitted, but
     * that tier's endpoint shows no headers now, headers show a different tier that also admitted the call. {@code
     * null} if headers do not show a limit.
     */
    public @Nullable Shown shown() {
        return endpoint == null || tier == null || !endpoint.showsHeaders(admitted())
                ? extras.shown
                : new Shown(endpoint, tier, remaining, resetAfterMillis, outcome == Outcome.ADMITTED_BEYOND);
    }

    /**
     * All limits that headers show for this call with {@code headers.style: ietf} or {@code both}. These are the limits
     * of all tiers of the endpoints that decided together, in the same order for every call. Empty if headers show only
     * {@link #shown()}, either because of the style or because no other limit was checked.
     */
    public List<Shown> shownLimits() {
        return extras.shownLimits;
    }

    /**
     * If the call was admitted to a queue, blocks the current thread until the call's turn. Returns this decision, or a
     * refusal if the call cannot stay queued. This happens if too many calls are already queued on threads, or if the
     * current thread is interrupted. The interrupt status stays set. After such a refusal, the call has ended and its
     * permits have been returned. However, an interrupted call still uses its turn.
     */
    public Decision inTurn() {
        Ticket held = extras.ticket;
        if (!admitted() || held == null || hasTurn(held)) {
            return this;
        }
        Decision busy = busy();
        held.ended(BUSY); // the limiter's own ticket has already returned all permits
        return busy;
    }

    /**
     * Reports the end of an admitted call. Always call this method; it has no effect if the limiter does not need the
     * report. Only the first report has an effect.
     *
     * @param status the status of the response, or {@link Ticket#UNANSWERED}
     */
    public void ended(int status) {
        if (extras.ticket != null) {
            extras.ticket.ended(status);
        }
    }

    /**
     * A copy of this decision that refuses the call because too many calls are pending. The retry time of the copy is
     * the time until the call's turn, because a retry at that time would not need to be queued.
     */
    public Decision busy() {
        long turnMillis = extras.ticket == null ? 0 : extras.ticket.delayMillis();
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

    /**
     * Whether the cost of the call exceeds the maximum that the reported tier ever admits at once. If so, no retry can
     * pass.
     */
    public boolean neverPasses() {
        return tier != null && extras.cost > tier.most();
    }

    /** The threshold of the reported tier; 0 if there is no such tier. */
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
                && extras.equals(decision.extras);
    }

    @Override
    public int hashCode() {
        return Objects.hash(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, extras);
    }

    /** A text for logs and tests. The format can change at any time. */
    @Override
    public String toString() {
        return "Decision[" + outcome + ", " + endpoint + ", " + tier + ", " + subjects + ", remaining=" + remaining
                + ", resetAfterMillis=" + resetAfterMillis + ", " + extras + "]";
    }
}
