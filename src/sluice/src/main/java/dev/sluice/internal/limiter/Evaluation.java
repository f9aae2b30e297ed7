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
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of one call by all applicable endpoints. It consists of a sequence of {@linkplain Judgement
 * judgements}. First, all enforced endpoints judge the call together. If they admit it, the unenforced endpoints then
 * judge it one by one. An endpoint is unenforced if it is in dry run or if the caller is exempt from it. The evaluation
 * pauses whenever the call is pending, and continues afterwards.
 *
 * <pre>
 *   enforced endpoints ── call admitted, or none apply ──▶ next unenforced endpoint ── none remain ──▶ decided
 *          │                                                   ▲        │
 *          └── call refused ──▶ decided                        └────────┘ endpoint has judged the call
 * </pre>
 *
 * <p>Not thread-safe: only one thread uses it at a time. While the call is pending, only the thread that retries the
 * calls in line uses it.
 */
final class Evaluation {

    /**
     * An unenforced endpoint and its parts. It never refuses a call, because it is in dry run or the caller is exempt
     * from it.
     */
    private record Unenforced(CompiledEndpoint compiledEndpoint, List<TierAcquisition> parts) {}

    private final Call call;
    private final LimiterParts limiter;

    /** The parts of all enforced endpoints. */
    private final List<TierAcquisition> enforced;

    private final List<Unenforced> unenforced = new ArrayList<>(0);
    /** The limits that cannot count the call until the name in its login attempt is known. */
    private final List<LimitPerLogin> perLogin = new ArrayList<>(0);
    /** The number of unenforced endpoints that have judged the call or are judging it. */
    private int unenforcedBegun;

    private Decision decision = Decision.UNLIMITED;
    private @Nullable InFlightCall inFlight;
    private long now;
    /** The time when the call first joined a line; 0 if it never has. */
    private long arrivalNanos;
    /** The judgement in progress; {@code null} if no judgement is in progress. */
    private @Nullable Judgement judging;

    /** Prepares the evaluation without taking any permits. */
    Evaluation(Call call, MatchedEndpoints matched, long nowMillis, LimiterParts limiter) {
        this.call = call;
        this.now = nowMillis;
        this.limiter = limiter;
        List<CompiledEndpoint> compiledEndpoints = matched.compiledEndpoints();
        this.enforced = new ArrayList<>(tiers(compiledEndpoints));
        for (int i = 0; i < compiledEndpoints.size(); i++) {
            CompiledEndpoint compiledEndpoint = compiledEndpoints.get(i);
            Call asRead = matched.read(i, call);
            if (!compiledEndpoint.appliesTo(asRead, now)) {
                continue;
            }
            if (compiledEndpoint.isPerLogin && asRead.login() == null) {
                perLogin.add(LimitPerLogin.of(compiledEndpoint, asRead));
            } else {
                TierAcquisition.addAll(compiledEndpoint, asRead, partsOf(compiledEndpoint));
            }
        }
    }

    /** Prepares an evaluation that uses only the given parts. */
    Evaluation(Call call, List<TierAcquisition> parts, long nowMillis, LimiterParts limiter) {
        this.call = call;
        this.now = nowMillis;
        this.limiter = limiter;
        this.enforced = new ArrayList<>(parts.size());
        for (TierAcquisition part : parts) {
            partsOf(part.compiledEndpoint).add(part);
        }
    }

    /** Returns the list to which the parts of an endpoint belong. */
    private List<TierAcquisition> partsOf(CompiledEndpoint compiledEndpoint) {
        if (compiledEndpoint.enforced()) {
            return enforced;
        }
        for (Unenforced known : unenforced) {
            if (known.compiledEndpoint == compiledEndpoint) {
                return known.parts;
            }
        }
        Unenforced added = new Unenforced(compiledEndpoint, new ArrayList<>(1));
        unenforced.add(added);
        return added.parts;
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
     * Continues the evaluation until the call is pending or decided. Returns the pending call, or {@code null} once the
     * call is decided. Reports the decisions of unenforced endpoints to the listener. If any code, such as the
     * listener, throws an exception, the call's permits are returned.
     */
    @Nullable PendingCall proceed() {
        try {
            Judgement one = judging == null ? first() : judging;
            while (one != null) {
                judging = one;
                Decision next = one.proceed();
                if (next == null) {
                    return one.pending;
                }
                judging = null;
                add(next, one.ifShort);
                one = nextUnenforced();
            }
            if (decision.admitted() && !perLogin.isEmpty()) {
                inFlight = InFlightCall.awaitingLogins(inFlight, perLogin, call, limiter);
            }
            return null;
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(inFlight);
            throw e;
        }
    }

    /** Returns the decision. Call this after {@link #proceed} has returned {@code null}. */
    Decision decision() {
        Decision carrying = decision.ticket() == inFlight ? decision : decision.withTicket(inFlight);
        List<Endpoint> others = otherEndpoints();
        return others.isEmpty() ? carrying : carrying.withOtherEndpoints(others);
    }

    /**
     * Returns the applicable endpoints other than the one that determined the decision. The result excludes endpoints
     * whose decisions have already been reported to the listener.
     */
    private List<Endpoint> otherEndpoints() {
        List<Endpoint> others = List.of();
        for (TierAcquisition part : enforced) {
            others = withOther(others, part.compiledEndpoint.endpoint);
        }
        if (!decision.admitted()) {
            for (Unenforced other : unenforced) {
                others = withOther(others, other.compiledEndpoint.endpoint);
            }
        }
        return others;
    }

    /**
     * Adds an endpoint, unless it determined the decision or is already in the list. The same endpoint can occur
     * several times, because it has a separate part for each tier, and possibly for each interpretation of the call's
     * path.
     */
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

    /** Gives back the permits that the call took, because the caller has abandoned the call. */
    void giveBack() {
        if (inFlight != null) {
            inFlight.giveBack(inFlight.delayMillis() > 0);
        }
        long nowMillis = limiter.sharing().nowMillis();
        giveBack(enforced, nowMillis);
        for (Unenforced other : unenforced) {
            giveBack(other.parts, nowMillis);
        }
    }

    private void giveBack(List<TierAcquisition> parts, long nowMillis) {
        for (TierAcquisition part : parts) {
            if (part.isKept() && (inFlight == null || !inFlight.includes(part))) {
                part.giveBack(nowMillis);
                limiter.sharing().requestCheck(part.pool());
            }
        }
    }

    private @Nullable Judgement first() {
        return enforced.isEmpty() ? nextUnenforced() : new Judgement(enforced, Outcome.REFUSED);
    }

    /**
     * Returns the judgement of the next unenforced endpoint; {@code null} if the call was not admitted or no such
     * endpoint remains.
     */
    private @Nullable Judgement nextUnenforced() {
        while (decision.admitted() && unenforcedBegun < unenforced.size()) {
            List<TierAcquisition> parts = notYetJudged(unenforcedBegun);
            CompiledEndpoint next = unenforced.get(unenforcedBegun).compiledEndpoint;
            unenforcedBegun++;
            if (!parts.isEmpty()) {
                return new Judgement(parts, next.exempt ? Outcome.EXEMPT : Outcome.WOULD_REFUSE);
            }
        }
        return null;
    }

    /**
     * Returns the parts of the unenforced endpoint at the given index. The result excludes parts whose counters have
     * already judged the call.
     */
    private List<TierAcquisition> notYetJudged(int index) {
        List<TierAcquisition> parts = new ArrayList<>(unenforced.get(index).parts);
        parts.removeIf(part -> isIn(enforced, part));
        for (Unenforced before : unenforced.subList(0, index)) {
            parts.removeIf(part -> isIn(before.parts, part));
        }
        return parts;
    }

    /** Whether any part in the list uses the same counter as the given part. */
    private static boolean isIn(List<TierAcquisition> parts, TierAcquisition part) {
        return parts.stream().anyMatch(other -> other.compareOrder(part) == 0);
    }

    private void add(Decision next, Outcome outcomeIfShort) {
        Decision told = outcomeIfShort == Outcome.EXEMPT ? next.withOutcome(Outcome.EXEMPT) : next;
        if (unenforcedBegun == 0 || decision.outcome() == Outcome.UNLIMITED) {
            decision = told;
        } else {
            limiter.listener().onDecision(call, told);
        }
    }

    /**
     * The judgement of the call by one or more endpoints. The call takes its permits either from all of their counters
     * or from none.
     *
     * <pre>
     *   caller is blocked ─────────────────────────────────▶ refused
     *   attempt ───── call gets all its permits ───────────▶ admitted
     *      │    ▲ └── too many calls are queued ───────────▶ refused as busy
     *      │    └──── a counter was retired, or time has passed: next attempt
     *      │ too few permits
     *      ├───────── waiting is hopeless ─────────────────▶ refused
     *      ▼
     *   in line ───── call gets all its permits ───────────▶ admitted
     *         ├────── call times out or has no prospect ───▶ refused
     *         └────── call cannot stay in line ────────────▶ refused as busy
     * </pre>
     *
     * <p>If the endpoints are not enforced, the outcome is {@link #ifShort} instead of a refusal.
     */
    private final class Judgement {

        /** The outcome if too few permits remain. */
        private final Outcome ifShort;

        private final AtomicAcquisition taking;
        /** The decision if the caller is blocked; otherwise {@code null}. */
        private final @Nullable Decision byBlock;

        /** The result of the latest attempt to take the permits of the call. */
        private Attempt attempt = Attempt.RETIRED;
        /** The call while it stands in line; otherwise {@code null}. */
        private @Nullable PendingCall pending;
        /** The latest shortage of the call; {@code null} if the call has never been pending. */
        private @Nullable Shortage lacked;
        /** The latest reason why the call was pending; {@code null} if it has never been pending. */
        private @Nullable Reason pendingReason;

        /** Makes the first attempt, unless the caller is blocked. */
        Judgement(List<TierAcquisition> parts, Outcome ifShort) {
            this.ifShort = ifShort;
            this.taking = AtomicAcquisition.of(parts, call, limiter.pending());
            this.byBlock = blocked(parts);
            if (byBlock == null) {
                attempt = taking.take(limiter.counters(), now);
            }
        }

        /** Returns the decision, or {@code null} while the call is pending. Reports how long the call was pending. */
        @Nullable Decision proceed() {
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

        /**
         * Returns the decision for a blocked caller, based on the block that ends last; {@code null} if the caller is
         * not blocked.
         */
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
            if (pending != null) {
                PendingCall over = pending;
                pending = null;
                pendingReason = over.reason();
                if (pendingReason == Reason.STORE || over.askedNanos() > 0) {
                    limiter.listener().onStoreWait(over.askedNanos());
                }
                if (!over.hasTaken()) {
                    return refused(over.couldStay() ? Outcome.REFUSED : Outcome.REFUSED_BUSY);
                }
            }
            boolean isLate = false;
            while (attempt != Attempt.TAKEN && attempt != Attempt.TOO_MANY_QUEUED) {
                long present = limiter.sharing().nowMillis();
                if (attempt == Attempt.SHORT && (isLate || present == now)) {
                    pending = standInLine();
                    return pending == null ? refused(Outcome.REFUSED) : null;
                }
                isLate = attempt == Attempt.SHORT; // this thread was delayed, so permits might be available by now
                now = present; // the window might have ended in the meantime
                attempt = taking.take(limiter.counters(), now);
            }
            if (attempt == Attempt.TAKEN) {
                return taken();
            }
            limiter.pending().warnOfQueued();
            return refused(taking.limiting(), Outcome.REFUSED_BUSY)
                    .withRetryAfter(taking.delayMillis()); // after that time, the call need not be queued
        }

        private @Nullable PendingCall standInLine() {
            arrivalNanos = arrivalNanos == 0 ? limiter.sharing().arrivalNanos() : arrivalNanos;
            taking.standsInLine(arrivalNanos);
            List<Shortage> lacking = taking.shortages(now);
            PendingCall joined = limiter.sharing().standInLine(this::nextAttempt, lacking, arrivalNanos);
            lacked = joined == null ? lacked : lacking.get(0);
            return joined;
        }

        /**
         * Makes an attempt while the call is pending, possibly on a different thread. Returns the remaining shortages.
         */
        private List<Shortage> nextAttempt() {
            do {
                now = limiter.sharing().nowMillis();
                attempt = taking.take(limiter.counters(), now);
            } while (attempt == Attempt.RETIRED);
            return attempt == Attempt.SHORT ? taking.shortages(now) : List.of();
        }

        private Decision refused(Outcome reason) {
            now = limiter.sharing().nowMillis();
            return refused(taking.longestRefusing(now), reason);
        }

        /**
         * Returns the decision for a call that a limit does not admit. The outcome is a refusal or, if the limit is not
         * enforced, {@link #ifShort}.
         */
        private Decision refused(TierAcquisition by, Outcome reason) {
            taking.giveUp(limiter.sharing());
            Block begun = reason == Outcome.REFUSED ? by.refused(now) : null;
            if (begun != null) {
                return blocked(by, begun);
            }
            Outcome outcome = ifShort == Outcome.REFUSED ? reason : ifShort;
            Decision refused =
                    Decisions.refused(outcome, by.compiledEndpoint.endpoint, by.pool(), by.need, now, inFlight);
            return withEachLimit(refused, false);
        }

        private Decision taken() {
            for (TierAcquisition part : taking.parts()) {
                limiter.sharing().afterTake(part.pool(), part.pool().state(now));
            }
            inFlight = InFlightCall.begin(inFlight, taking, call, now, limiter);
            TierAcquisition scarcest = taking.scarcest(now);
            Endpoint endpoint = scarcest.compiledEndpoint.endpoint;
            Decision admitted = Decisions.admitted(endpoint, scarcest.pool(), scarcest.latestState(now), now, inFlight);
            TierAcquisition shown = endpoint.showsHeaders(true) ? null : taking.scarcestShown(now);
            Decision showing = shown == null ? admitted : admitted.withShown(shown(shown, shown.latestState(now)));
            return withEachLimit(showing, true);
        }

        /** Adds the figures of each limit to the decision, if there are several limits and responses show them all. */
        private Decision withEachLimit(Decision of, boolean isTaken) {
            TierAcquisition[] parts = taking.parts();
            if (parts.length == 1 || !parts[0].compiledEndpoint.showsEachLimit) {
                return of;
            }
            List<Decision.Shown> each = new ArrayList<>(parts.length);
            for (TierAcquisition part : parts) {
                if (part.compiledEndpoint.endpoint.showsHeaders(of.admitted())) {
                    each.add(shown(
                            part, isTaken ? part.latestState(now) : part.pool().state(now)));
                }
            }
            return of.withShownLimits(each);
        }

        private Decision.Shown shown(TierAcquisition part, long state) {
            return Decisions.shown(part.compiledEndpoint.endpoint, part.pool(), state, now);
        }
    }
}
