package dev.sluice.limiter;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.limiter.AtomicAcquisition.Attempt;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.counter.WaitResult.Reason;
import dev.sluice.limiter.endpoint.CompiledEndpoint;
import dev.sluice.limiter.endpoint.MatchedEndpoints;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides one call by all endpoints that apply to it. All that are enforced decide together; then, if the call
 * passes, those in dry run and those that the caller is exempt from follow one by one. Used by one thread at a
 * time: while the call waits, by whoever tries it in its line.
 */
final class Evaluation {

    private final Call call;
    private final LimiterParts limiter;
    private @Nullable InFlightCall inFlight;
    private long now;
    /** Until when the call may wait for the store in all; 0 if it has not waited yet. */
    private long arrivalNanos;
    /** What it waited for last; {@code null} if it has not waited. */
    private @Nullable Wait waited;
    /** The last attempt to take what it needs. */
    private Attempt attempt = Attempt.RETIRED;

    /** That the call waited, and for what. */
    private record Wait(Shortage lacking, Reason reason) {}

    Evaluation(Call call, long nowMillis, LimiterParts limiter) {
        this.call = call;
        this.now = nowMillis;
        this.limiter = limiter;
    }

    /**
     * Decides the call; reports further decisions to the listener. If anything throws, such as the listener, the call's
     * places are freed.
     */
    Decision decide(MatchedEndpoints matched) {
        try {
            return judge(matched);
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(inFlight);
            throw e;
        }
    }

    private Decision judge(MatchedEndpoints matched) {
        List<CompiledEndpoint> compiledEndpoints = matched.compiledEndpoints();
        List<TierAcquisition> enforced = new ArrayList<>(tiers(compiledEndpoints));
        List<CompiledEndpoint> unenforced = new ArrayList<>(0);
        List<TierAcquisition> unenforcedParts = new ArrayList<>(0);
        for (int i = 0; i < compiledEndpoints.size(); i++) {
            CompiledEndpoint compiledEndpoint = compiledEndpoints.get(i);
            Call asRead = matched.read(i, call);
            if (compiledEndpoint.appliesTo(asRead, now)) {
                if (!compiledEndpoint.enforced() && !unenforced.contains(compiledEndpoint)) {
                    unenforced.add(compiledEndpoint);
                }
                TierAcquisition.addAll(
                        compiledEndpoint, asRead, compiledEndpoint.enforced() ? enforced : unenforcedParts);
            }
        }
        Decision decision = enforced.isEmpty() ? Decision.UNLIMITED : judge(enforced, Outcome.REFUSED);
        if (decision.admitted()) {
            for (CompiledEndpoint compiledEndpoint : unenforced) {
                List<TierAcquisition> parts = notYetJudged(compiledEndpoint, unenforcedParts, enforced);
                if (parts.isEmpty()) {
                    continue;
                }
                enforced.addAll(parts);
                Decision ofUnenforced = compiledEndpoint.exempt
                        ? judge(parts, Outcome.EXEMPT).withOutcome(Outcome.EXEMPT)
                        : judge(parts, Outcome.WOULD_REFUSE);
                if (decision.outcome() == Outcome.UNLIMITED) {
                    decision = ofUnenforced;
                } else {
                    limiter.listener().onDecision(call, ofUnenforced);
                }
            }
        }
        return decision.ticket() == inFlight ? decision : decision.withTicket(inFlight);
    }

    private static int tiers(List<CompiledEndpoint> compiledEndpoints) {
        int tiers = 0;
        for (CompiledEndpoint compiledEndpoint : compiledEndpoints) {
            tiers += compiledEndpoint.endpoint.tiers().size();
        }
        return tiers;
    }

    /** The parts of this endpoint, without counters that already judged the call. */
    private static List<TierAcquisition> notYetJudged(
            CompiledEndpoint compiledEndpoint, List<TierAcquisition> some, List<TierAcquisition> judged) {
        List<TierAcquisition> parts =
                new ArrayList<>(compiledEndpoint.endpoint.tiers().size());
        for (TierAcquisition part : some) {
            if (part.compiledEndpoint == compiledEndpoint
                    && judged.stream().noneMatch(other -> other.compareOrder(part) == 0)) {
                parts.add(part);
            }
        }
        return parts;
    }

    private Decision judge(List<TierAcquisition> parts, Outcome ifShort) {
        waited = null;
        Decision decision = decide(parts, ifShort);
        if (waited != null) {
            report(waited, decision.outcome());
        }
        return decision;
    }

    private void report(Wait wait, Outcome outcome) {
        long nanos = Math.max(0, limiter.sharing().arrivalNanos() - arrivalNanos);
        if (wait.reason == Reason.OUTCOMES) {
            limiter.listener().onOutcomeWait(nanos);
        }
        limiter.sharing().waited(wait.lacking, wait.reason, nanos, outcome);
    }

    private Decision decide(List<TierAcquisition> parts, Outcome ifShort) {
        Decision blocked = blocked(parts, ifShort);
        return blocked != null ? blocked : take(parts, ifShort);
    }

    /** The decision if the caller is blocked, by the block that ends last; {@code null} if it is not. */
    private @Nullable Decision blocked(List<TierAcquisition> parts, Outcome ifShort) {
        TierAcquisition by = null;
        Block longest = null;
        for (TierAcquisition part : parts) {
            Block block = part.block(now);
            if (block != null && (longest == null || block.untilMillis() > longest.untilMillis())) {
                by = part;
                longest = block;
            }
        }
        return by == null || longest == null ? null : blocked(by, longest, ifShort);
    }

    private Decision blocked(TierAcquisition by, Block block, Outcome ifShort) {
        Outcome outcome = ifShort == Outcome.REFUSED ? Outcome.REFUSED_BLOCKED : ifShort;
        return Decisions.blocked(outcome, by.compiledEndpoint.endpoint, by.family.tier, block, now, inFlight);
    }

    private Decision take(List<TierAcquisition> parts, Outcome ifShort) {
        AtomicAcquisition acquisition = AtomicAcquisition.of(parts, call, limiter.waiting());
        attempt = acquisition.take(limiter.counters(), now);
        while (attempt != Attempt.TAKEN && attempt != Attempt.TOO_MANY_WAIT) {
            if (attempt == Attempt.SHORT) {
                arrivalNanos = arrivalNanos == 0 ? limiter.sharing().arrivalNanos() : arrivalNanos;
                acquisition.waits(arrivalNanos);
                List<Shortage> lacking = acquisition.shortages(now);
                WaitResult answer = limiter.sharing().await(() -> takeInTurn(acquisition), lacking, arrivalNanos);
                Reason reason = answer.reason();
                waited = reason == null ? waited : new Wait(lacking.get(0), reason);
                Outcome refusal = answer.refusal();
                if (refusal != null) {
                    now = limiter.sharing().nowMillis();
                    return refused(acquisition, acquisition.longestRefusing(now), ifShort, refusal);
                }
            } else {
                now = limiter.sharing().nowMillis(); // its window may have ended meanwhile
                attempt = acquisition.take(limiter.counters(), now);
            }
        }
        if (attempt == Attempt.TAKEN) {
            return taken(acquisition);
        }
        limiter.waiting().warnOfTurns();
        return refused(acquisition, acquisition.limiting(), ifShort, Outcome.REFUSED_BUSY)
                .withRetryAfter(acquisition.delayMillis()); // by then it does not have to wait
    }

    /** An attempt of the call while it waits, perhaps on another thread; returns what it lacks. */
    private List<Shortage> takeInTurn(AtomicAcquisition acquisition) {
        do {
            now = limiter.sharing().nowMillis();
            attempt = acquisition.take(limiter.counters(), now);
        } while (attempt == Attempt.RETIRED);
        return attempt == Attempt.SHORT ? acquisition.shortages(now) : List.of();
    }

    /**
     * The decision for a call that a limit does not let pass: refused, or the outcome that replaces it if the limit is
     * not enforced.
     */
    private Decision refused(AtomicAcquisition acquisition, TierAcquisition by, Outcome ifShort, Outcome reason) {
        acquisition.giveUp(limiter.sharing());
        Block begun = reason == Outcome.REFUSED ? by.refused(now) : null;
        if (begun != null) {
            return blocked(by, begun, ifShort);
        }
        Outcome outcome = ifShort == Outcome.REFUSED ? reason : ifShort;
        return Decisions.refused(outcome, by.compiledEndpoint.endpoint, by.pool(), by.need, now, inFlight);
    }

    private Decision taken(AtomicAcquisition acquisition) {
        for (TierAcquisition part : acquisition.parts()) {
            limiter.sharing().afterTake(part.pool(), part.pool().state(now));
        }
        inFlight = InFlightCall.begin(inFlight, acquisition, now, limiter);
        TierAcquisition scarcest = acquisition.scarcest(now);
        Endpoint endpoint = scarcest.compiledEndpoint.endpoint;
        Decision decision = Decisions.admitted(endpoint, scarcest.pool(), scarcest.latestState(now), now, inFlight);
        TierAcquisition shown = endpoint.showsHeaders() ? null : acquisition.scarcestShown(now);
        return shown == null
                ? decision
                : decision.withInstead(
                        Decisions.told(shown.compiledEndpoint.endpoint, shown.pool(), shown.latestState(now), now));
    }
}
