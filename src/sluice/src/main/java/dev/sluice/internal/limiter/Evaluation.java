package dev.sluice.internal.limiter;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.internal.limiter.AtomicAcquisition.Attempt;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.MatchedEndpoints;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides one call by all endpoints that apply to it. The enforced endpoints decide together. If they admit the call,
 * the others follow one by one: endpoints in dry run, and those that the caller is exempt from. The evaluation pauses
 * whenever the call is pending, and goes on afterwards.
 *
 * <p>Not thread-safe: one thread at a time uses it. While the call is pending, that is the thread that retries the
 * calls in line.
 */
final class Evaluation {

    private final Call call;
    private final LimiterParts limiter;

    /** The parts of enforced endpoints; later, all parts that have judged the call. */
    private final List<TierAcquisition> enforced;

    private final List<CompiledEndpoint> unenforced = new ArrayList<>(0);
    private final List<TierAcquisition> unenforcedParts = new ArrayList<>(0);
    /** How many of the unenforced endpoints have judged the call, or are doing so. */
    private int unenforcedBegun;

    private Decision decision = Decision.UNLIMITED;
    private @Nullable InFlightCall inFlight;
    private long now;
    /** When the call first stood in line; 0 if it never has. */
    private long arrivalNanos;

    /** What is being acquired; {@code null} between two acquisitions. */
    private @Nullable AtomicAcquisition acquisition;
    /** The decision of this acquisition because the caller is blocked; {@code null} if it is not blocked. */
    private @Nullable Decision byBlock;
    /** The outcome of this acquisition if too little is left. */
    private Outcome ifShort = Outcome.REFUSED;
    /** The result of the last attempt to take what the call needs. */
    private Attempt attempt = Attempt.RETIRED;
    /** The call while it stands in line; {@code null} if it does not. */
    private @Nullable PendingCall pending;
    /** What the call last lacked in this acquisition; {@code null} if it was never pending. */
    private @Nullable Shortage lacked;
    /** Why the call was last pending in this acquisition; {@code null} if it never was. */
    private @Nullable Reason pendingReason;

    /** Prepares the evaluation; takes nothing yet. */
    Evaluation(Call call, MatchedEndpoints matched, long nowMillis, LimiterParts limiter) {
        this.call = call;
        this.now = nowMillis;
        this.limiter = limiter;
        List<CompiledEndpoint> compiledEndpoints = matched.compiledEndpoints();
        this.enforced = new ArrayList<>(tiers(compiledEndpoints));
        for (int i = 0; i < compiledEndpoints.size(); i++) {
            CompiledEndpoint compiledEndpoint = compiledEndpoints.get(i);
            Call asRead = matched.read(i, call);
            if (compiledEndpoint.appliesTo(asRead, now)) {
                TierAcquisition.addAll(compiledEndpoint, asRead, partsOf(compiledEndpoint));
            }
        }
    }

    /** Prepares to take these parts, which the call has taken before. */
    private Evaluation(Call call, List<TierAcquisition> again, long nowMillis, LimiterParts limiter) {
        this.call = call;
        this.now = nowMillis;
        this.limiter = limiter;
        this.enforced = new ArrayList<>(again.size());
        for (TierAcquisition part : again) {
            partsOf(part.compiledEndpoint).add(part);
        }
    }

    /** Where the parts of an endpoint belong. */
    private List<TierAcquisition> partsOf(CompiledEndpoint compiledEndpoint) {
        if (compiledEndpoint.enforced()) {
            return enforced;
        }
        if (!unenforced.contains(compiledEndpoint)) {
            unenforced.add(compiledEndpoint);
        }
        return unenforcedParts;
    }

    private static int tiers(List<CompiledEndpoint> compiledEndpoints) {
        int tiers = 0;
        for (CompiledEndpoint compiledEndpoint : compiledEndpoints) {
            tiers += compiledEndpoint.endpoint.tiers().size();
        }
        return tiers;
    }

    /** Decides the call. Blocks this thread while the call is pending. */
    Decision decide() {
        for (PendingCall one = proceed(); one != null; one = proceed()) {
            one.await();
        }
        return decision();
    }

    /**
     * Continues until the call is pending, and returns it as that; {@code null} once the call is decided. Reports the
     * decisions of unenforced endpoints to the listener. If anything throws, for example the listener, the call returns
     * its permits.
     */
    @Nullable PendingCall proceed() {
        try {
            if (acquisition == null && !enforced.isEmpty()) {
                begin(enforced, Outcome.REFUSED);
            }
            while (acquisition != null || beginUnenforced()) {
                Decision next = judge();
                if (next == null) {
                    return pending;
                }
                acquisition = null;
                add(next);
            }
            return null;
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(inFlight);
            throw e;
        }
    }

    /** The decision, once {@link #proceed} has returned {@code null}. */
    Decision decision() {
        Decision carrying = decision.ticket() == inFlight ? decision : decision.withTicket(inFlight);
        List<Endpoint> others = otherEndpoints();
        return others.isEmpty() ? carrying : carrying.withOtherEndpoints(others);
    }

    /**
     * The endpoints that apply, except the one of the decision, and except those whose own decision the listener has
     * received.
     */
    private List<Endpoint> otherEndpoints() {
        List<Endpoint> others = List.of();
        for (TierAcquisition part : enforced) {
            if (part.compiledEndpoint.enforced()) {
                others = withOther(others, part.compiledEndpoint.endpoint);
            }
        }
        if (!decision.admitted()) {
            for (CompiledEndpoint compiledEndpoint : unenforced) {
                others = withOther(others, compiledEndpoint.endpoint);
            }
        }
        return others;
    }

    /** Adds an endpoint once: it has a part for each tier, and perhaps for each reading of the call. */
    private List<Endpoint> withOther(List<Endpoint> others, Endpoint endpoint) {
        Endpoint reported = decision.endpoint();
        boolean isKnown = reported != null && reported.id().equals(endpoint.id());
        for (int i = 0; i < others.size() && !isKnown; i++) {
            isKnown = others.get(i).id().equals(endpoint.id());
        }
        if (isKnown) {
            return others;
        }
        List<Endpoint> all = others.isEmpty() ? new ArrayList<>(2) : others;
        all.add(endpoint);
        return all;
    }

    /** Returns what the call took, because its caller has given it up. */
    void giveBack() {
        if (inFlight != null) {
            inFlight.giveBack(inFlight.delayMillis() > 0);
        }
        long nowMillis = limiter.sharing().nowMillis();
        for (TierAcquisition part : enforced) {
            if (part.isKept() && (inFlight == null || !inFlight.includes(part))) {
                part.giveBack(nowMillis);
                limiter.sharing().requestCheck(part.pool());
            }
        }
    }

    private void begin(List<TierAcquisition> parts, Outcome outcomeIfShort) {
        ifShort = outcomeIfShort;
        lacked = null;
        pendingReason = null;
        acquisition = AtomicAcquisition.of(parts, call, limiter.pending());
        byBlock = blocked(parts);
        if (byBlock == null) {
            attempt = acquisition.take(limiter.counters(), now);
        }
    }

    /** Begins with the next unenforced endpoint if the call still passes; returns whether there is one. */
    private boolean beginUnenforced() {
        while (decision.admitted() && unenforcedBegun < unenforced.size()) {
            CompiledEndpoint next = unenforced.get(unenforcedBegun);
            unenforcedBegun++;
            List<TierAcquisition> parts = notYetJudged(next);
            if (!parts.isEmpty()) {
                enforced.addAll(parts);
                begin(parts, next.exempt ? Outcome.EXEMPT : Outcome.WOULD_REFUSE);
                return true;
            }
        }
        return false;
    }

    /** The parts of this endpoint, except counters that have already judged the call. */
    private List<TierAcquisition> notYetJudged(CompiledEndpoint compiledEndpoint) {
        List<TierAcquisition> parts =
                new ArrayList<>(compiledEndpoint.endpoint.tiers().size());
        for (TierAcquisition part : unenforcedParts) {
            if (part.compiledEndpoint == compiledEndpoint
                    && enforced.stream().noneMatch(other -> other.compareOrder(part) == 0)) {
                parts.add(part);
            }
        }
        return parts;
    }

    private void add(Decision next) {
        Decision told = ifShort == Outcome.EXEMPT ? next.withOutcome(Outcome.EXEMPT) : next;
        if (unenforcedBegun == 0 || decision.outcome() == Outcome.UNLIMITED) {
            decision = told;
        } else {
            limiter.listener().onDecision(call, told);
        }
    }

    /**
     * The decision of this acquisition, with the time reported for which it was pending; {@code null} while the call is
     * pending.
     */
    private @Nullable Decision judge() {
        Decision of = decided();
        if (of != null && lacked != null && pendingReason != null) {
            long nanos = Math.max(0, limiter.sharing().arrivalNanos() - arrivalNanos);
            if (pendingReason == Reason.OUTCOMES) {
                limiter.listener().onOutcomesAwaited(nanos);
            }
            limiter.sharing().wasPending(lacked, pendingReason, nanos, of.outcome());
        }
        return of;
    }

    /** If the caller is blocked, the decision by the block that ends last; otherwise {@code null}. */
    private @Nullable Decision blocked(List<TierAcquisition> parts) {
        TierAcquisition by = null;
        Block longest = null;
        for (TierAcquisition part : parts) {
            Block block = part.block(now);
            if (block != null && (longest == null || block.untilMillis() > longest.untilMillis())) {
                by = part;
                longest = block;
            }
        }
        return by == null || longest == null ? null : blocked(by, longest);
    }

    private Decision blocked(TierAcquisition by, Block block) {
        Outcome outcome = ifShort == Outcome.REFUSED ? Outcome.REFUSED_BLOCKED : ifShort;
        return Decisions.blocked(outcome, by.compiledEndpoint.endpoint, by.family.tier, block, now, inFlight);
    }

    private @Nullable Decision decided() {
        if (byBlock != null) {
            return byBlock;
        }
        AtomicAcquisition taking = Objects.requireNonNull(acquisition);
        if (pending != null) {
            PendingCall over = pending;
            pending = null;
            pendingReason = over.reason();
            if (pendingReason == Reason.STORE || over.askedNanos() > 0) {
                limiter.listener().onStoreWait(over.askedNanos());
            }
            if (!over.hasTaken()) {
                return refused(taking, over.couldStay() ? Outcome.REFUSED : Outcome.REFUSED_BUSY);
            }
        }
        boolean isLate = false;
        while (attempt != Attempt.TAKEN && attempt != Attempt.TOO_MANY_QUEUED) {
            long present = limiter.sharing().nowMillis();
            if (attempt == Attempt.SHORT && (isLate || present == now)) {
                pending = standInLine(taking);
                return pending == null ? refused(taking, Outcome.REFUSED) : null;
            }
            isLate = attempt == Attempt.SHORT; // its thread was delayed, so that time may have given something back
            now = present; // its window may have ended meanwhile
            attempt = taking.take(limiter.counters(), now);
        }
        if (attempt == Attempt.TAKEN) {
            return taken(taking);
        }
        limiter.pending().warnOfQueued();
        return refused(taking, taking.limiting(), Outcome.REFUSED_BUSY)
                .withRetryAfter(taking.delayMillis()); // by then it need not be queued
    }

    private @Nullable PendingCall standInLine(AtomicAcquisition taking) {
        arrivalNanos = arrivalNanos == 0 ? limiter.sharing().arrivalNanos() : arrivalNanos;
        taking.standsInLine(arrivalNanos);
        List<Shortage> lacking = taking.shortages(now);
        PendingCall joined = limiter.sharing().standInLine(() -> nextAttempt(taking), lacking, arrivalNanos);
        lacked = joined == null ? lacked : lacking.get(0);
        return joined;
    }

    /** An attempt while the call is pending, perhaps on another thread; returns what it still lacks. */
    private List<Shortage> nextAttempt(AtomicAcquisition taking) {
        do {
            now = limiter.sharing().nowMillis();
            attempt = taking.take(limiter.counters(), now);
        } while (attempt == Attempt.RETIRED);
        return attempt == Attempt.SHORT ? taking.shortages(now) : List.of();
    }

    private Decision refused(AtomicAcquisition taking, Outcome reason) {
        now = limiter.sharing().nowMillis();
        return refused(taking, taking.longestRefusing(now), reason);
    }

    /**
     * The decision for a call that a limit does not admit: a refusal, or the outcome that replaces it if the limit is
     * not enforced.
     */
    private Decision refused(AtomicAcquisition taking, TierAcquisition by, Outcome reason) {
        taking.giveUp(limiter.sharing());
        Block begun = reason == Outcome.REFUSED ? by.refused(now) : null;
        if (begun != null) {
            return blocked(by, begun);
        }
        Outcome outcome = ifShort == Outcome.REFUSED ? reason : ifShort;
        return Decisions.refused(outcome, by.compiledEndpoint.endpoint, by.pool(), by.need, now, inFlight);
    }

    /**
     * Decides a further attempt of a call to log in. The listener hears only of refusals: the call itself is admitted.
     */
    static Decision laterLogin(Call call, List<TierAcquisition> again, LimiterParts limiter) {
        Decision later = new Evaluation(call, again, limiter.sharing().decisionMillis(), limiter).decide();
        if (later.outcome() != Outcome.ADMITTED && later.outcome() != Outcome.EXEMPT) {
            limiter.listener().onDecision(call, later);
        }
        return later;
    }

    private Decision taken(AtomicAcquisition taking) {
        for (TierAcquisition part : taking.parts()) {
            limiter.sharing().afterTake(part.pool(), part.pool().state(now));
        }
        inFlight = InFlightCall.begin(inFlight, taking, call, now, limiter);
        TierAcquisition scarcest = taking.scarcest(now);
        Endpoint endpoint = scarcest.compiledEndpoint.endpoint;
        Decision admitted = Decisions.admitted(endpoint, scarcest.pool(), scarcest.latestState(now), now, inFlight);
        TierAcquisition shown = endpoint.showsHeaders(true) ? null : taking.scarcestShown(now);
        return shown == null
                ? admitted
                : admitted.withShown(
                        Decisions.shown(shown.compiledEndpoint.endpoint, shown.pool(), shown.latestState(now), now));
    }
}
