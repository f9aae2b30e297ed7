package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.limiter.counter.Sharing;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.definition.CompiledEndpoint;
import dev.sluice.limiter.definition.Matched;
import dev.sluice.limiter.memory.Counters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call before all definitions that speak of it. Those that are enforced judge together; those on a dry run, and
 * those that the caller is exempt from, follow, each for itself, if the call passes. Used by one thread.
 */
final class Evaluation {

    private final Call call;
    private final Counters counters;
    private final Sharing sharing;
    private final MachineLoad load;
    private final BoundedWaiting waiting;
    private @Nullable InFlightCall inFlight;
    private long now;
    /** Until when the call waits for the store at most, in all; 0 as long as it has not waited. */
    private long deadlineNanos;

    Evaluation(
            Call call, long nowMillis, Counters counters, Sharing sharing, MachineLoad load, BoundedWaiting waiting) {
        this.call = call;
        this.now = nowMillis;
        this.counters = counters;
        this.sharing = sharing;
        this.load = load;
        this.waiting = waiting;
    }

    /**
     * What becomes of the call; the listener is told what is said beside that. If something is thrown, such as by the
     * listener, the call puts back its places.
     */
    Decision decide(Matched matched, RateLimitListener listener) {
        try {
            return judge(matched, listener);
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(inFlight);
            throw e;
        }
    }

    private Decision judge(Matched matched, RateLimitListener listener) {
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
                Decision said = compiledEndpoint.exempt
                        ? judge(parts, Outcome.EXEMPT).withOutcome(Outcome.EXEMPT)
                        : judge(parts, Outcome.WOULD_REFUSE);
                if (decision.outcome() == Outcome.UNLIMITED) {
                    decision = said;
                } else {
                    listener.onDecision(call, said);
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

    /** Those of the parts that are of this endpoint, but for counters that the call was judged by already. */
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
        AtomicAcquisition acquisition = AtomicAcquisition.of(parts, call, waiting);
        WaitResult answer = WaitResult.LOOK_AGAIN;
        while (true) {
            AtomicAcquisition.Attempt attempt = answer.isGranted()
                    ? acquisition.takeGranted(answer.reading(), now)
                    : acquisition.take(counters, now);
            if (attempt == AtomicAcquisition.Attempt.TAKEN) {
                return taken(acquisition);
            }
            if (attempt == AtomicAcquisition.Attempt.TOO_MANY_WAIT) {
                waiting.warnOfTurns();
                return refused(acquisition, acquisition.limiting(), ifShort, Outcome.REFUSED_BUSY)
                        .withRetryAfter(acquisition.delayMillis()); // then it need not wait
            }
            if (attempt == AtomicAcquisition.Attempt.SHORT) {
                deadlineNanos = deadlineNanos == 0 ? sharing.deadlineNanos() : deadlineNanos;
                answer = sharing.await(acquisition.shortages(now), deadlineNanos);
                Outcome refusal = answer.refusal();
                if (refusal != null) {
                    return refused(acquisition, acquisition.longestRefusing(now), ifShort, refusal);
                }
            }
            now = sharing.nowMillis(); // while it waited, or looked up who is calling, its window may have ended
        }
    }

    /** The call is refused for that reason, or what becomes of it instead where nothing is enforced. */
    private Decision refused(AtomicAcquisition acquisition, TierAcquisition by, Outcome ifShort, Outcome reason) {
        acquisition.giveUp(sharing);
        Outcome outcome = ifShort == Outcome.REFUSED ? reason : ifShort;
        return Decisions.refused(outcome, by.compiledEndpoint.endpoint, by.pool(), by.need, now, inFlight);
    }

    private Decision taken(AtomicAcquisition acquisition) {
        for (TierAcquisition part : acquisition.parts()) {
            sharing.noteTaken(part.pool(), part.pool().reading(now));
        }
        inFlight = InFlightCall.begin(inFlight, acquisition, now, counters, sharing, load, waiting);
        TierAcquisition scarcest = acquisition.scarcest(now);
        return Decisions.admitted(
                scarcest.compiledEndpoint.endpoint, scarcest.pool(), scarcest.reading(), now, inFlight);
    }
}
