package dev.sluice;

import dev.sluice.tier.Tier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one call: what becomes of it, and the figures of the tier with the least left in proportion (of the
 * refusing tier, if it is refused). It is a value; acting on it is the asker's part.
 *
 * @param outcome what becomes of the call
 * @param endpoint the definition that speaks, {@code null} if none matches
 * @param tier the tier of it that speaks, {@code null} if none matches
 * @param subjects who was counted
 * @param remaining how many further calls of this caller that tier would admit now
 * @param resetAfterMillis the time until the tier's window ends, or until all of the limit is there again
 * @param retryAfterMillis after a refusal, the time after which a retry passes if nobody else calls, unless
 *     it {@link #neverPasses()}; otherwise 0
 * @param ticket what an admitted call carries if its end matters, otherwise {@code null}
 * @param cost after a refusal, as how much the call counts in that tier; otherwise 0
 */
public record Decision(
        Outcome outcome,
        @Nullable Endpoint endpoint,
        @Nullable Tier tier,
        List<Subject> subjects,
        long remaining,
        long resetAfterMillis,
        long retryAfterMillis,
        @Nullable Ticket ticket,
        long cost) {

    /** One that tells no cost. */
    public Decision(
            Outcome outcome,
            @Nullable Endpoint endpoint,
            @Nullable Tier tier,
            List<Subject> subjects,
            long remaining,
            long resetAfterMillis,
            long retryAfterMillis,
            @Nullable Ticket ticket) {
        this(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, retryAfterMillis, ticket, 0);
    }

    /** No enabled definition speaks of the call. */
    public static final Decision UNLIMITED = new Decision(Outcome.UNLIMITED, null, null, List.of(), 0, 0, 0, null);

    /** What becomes of a call. */
    public enum Outcome {
        /** No definition speaks of it: it passes, and callers are told nothing. */
        UNLIMITED,
        /** It passes and was counted. */
        ADMITTED,
        /** It passes and was counted, though beyond the threshold, where the tier allows for that. */
        ADMITTED_BEYOND,
        /**
         * It passes whatever the limits say, and was counted where they let it: its caller is exempt, and told nothing.
         */
        EXEMPT,
        /** It passes only because of a dry run. */
        WOULD_REFUSE,
        /** It does not pass, and nothing was counted. */
        REFUSED,
        /** The same, but not since a limit is used up: it would have to wait, and too many threads do already. */
        REFUSED_BUSY
    }

    /** The same, with this ticket. */
    public Decision withTicket(@Nullable Ticket carried) {
        return new Decision(
                outcome, endpoint, tier, subjects, remaining, resetAfterMillis, retryAfterMillis, carried, cost);
    }

    /** The same, with another outcome. */
    public Decision withOutcome(Outcome other) {
        return new Decision(
                other, endpoint, tier, subjects, remaining, resetAfterMillis, retryAfterMillis, ticket, cost);
    }

    /** The same, but that a retry passes after this time. */
    public Decision withRetryAfter(long millis) {
        return new Decision(outcome, endpoint, tier, subjects, remaining, resetAfterMillis, millis, ticket, cost);
    }

    /** Whether the call may go on. */
    public boolean admitted() {
        return outcome != Outcome.REFUSED && outcome != Outcome.REFUSED_BUSY;
    }

    /** Whether the call costs more than the speaking tier ever lets pass at once, so that no retry passes. */
    public boolean neverPasses() {
        return tier != null && cost > tier.most();
    }

    /** How many calls the speaking tier allows in a period; 0 if none speaks. */
    public long limit() {
        return tier == null ? 0 : tier.limit().threshold();
    }
}
