package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.limiter.Sharing.Awaited;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call before all definitions that speak of it. Those that are enforced judge together; those on a dry run, and those that the
 * caller is exempt from, follow, each for itself, if the call passes. Used by one thread.
 */
final class Hearing {

    private final Call call;
    private final Counters counters;
    private final Sharing sharing;
    private final MachineLoad underWay;
    private final BoundedWaiting waiting;
    private @Nullable Stay stay;
    private long now;

    Hearing(
            Call call,
            long nowMillis,
            Counters counters,
            Sharing sharing,
            MachineLoad underWay,
            BoundedWaiting waiting) {
        this.call = call;
        this.now = nowMillis;
        this.counters = counters;
        this.sharing = sharing;
        this.underWay = underWay;
        this.waiting = waiting;
    }

    /** What becomes of the call; the listener is told what is said beside that. */
    Decision decide(Matched matched, RateLimitListener listener) {
        List<Guard> guards = matched.guards();
        List<Part> enforced = new ArrayList<>(tiers(guards));
        List<Guard> rehearsed = new ArrayList<>(0);
        List<Part> rehearsedParts = new ArrayList<>(0);
        for (int i = 0; i < guards.size(); i++) {
            Guard guard = guards.get(i);
            Call asRead = matched.read(i, call);
            if (guard.speaksOf(asRead, now)) {
                if (!guard.enforced() && !rehearsed.contains(guard)) {
                    rehearsed.add(guard);
                }
                guard.addParts(asRead, guard.enforced() ? enforced : rehearsedParts);
            }
        }
        Decision decision = enforced.isEmpty() ? Decision.UNLIMITED : judge(enforced, Outcome.REFUSED);
        if (decision.admitted()) {
            for (Guard guard : rehearsed) {
                List<Part> parts = moveNew(guard, rehearsedParts, enforced);
                if (parts.isEmpty()) {
                    continue;
                }
                Decision said = guard.exempt
                        ? judge(parts, Outcome.EXEMPT).as(Outcome.EXEMPT)
                        : judge(parts, Outcome.WOULD_REFUSE);
                if (decision.outcome() == Outcome.UNLIMITED) {
                    decision = said;
                } else {
                    listener.onDecision(call, said);
                }
            }
        }
        return decision.ticket() == stay ? decision : decision.with(stay);
    }

    private static int tiers(List<Guard> guards) {
        int tiers = 0;
        for (Guard guard : guards) {
            tiers += guard.endpoint.tiers().size();
        }
        return tiers;
    }

    /** Takes the parts of a guard out of some, and adds them to those that are judged, unless the call is counted there already. */
    private static List<Part> moveNew(Guard guard, List<Part> some, List<Part> judged) {
        List<Part> parts = new ArrayList<>(guard.endpoint.tiers().size());
        for (Part part : some) {
            if (part.guard == guard && judged.stream().noneMatch(other -> other.before(part) == 0)) {
                parts.add(part);
            }
        }
        judged.addAll(parts);
        return parts;
    }

    private Decision judge(List<Part> parts, Outcome ifShort) {
        Turn turn = Turn.of(parts, call, waiting);
        long deadline = 0;
        Awaited awaited = Awaited.NEWS;
        while (true) {
            Turn.Outcome outcome = awaited.is(Awaited.Kind.ADMITTED)
                    ? turn.takeGranted(awaited.reading(), now)
                    : turn.take(counters, now);
            if (outcome == Turn.Outcome.TAKEN) {
                return taken(turn);
            }
            if (outcome == Turn.Outcome.TOO_MANY_WAIT) {
                waiting.warnOfTurns();
                turn.giveUp(sharing);
                Part refusing = turn.refusing();
                return Answers.refused(ifShort, refusing.guard.endpoint, refusing.pool(), refusing.need, now, stay)
                        .retryAfter(turn.delayMillis()); // then it need not wait
            }
            if (outcome == Turn.Outcome.REFUSED) {
                deadline = deadline == 0 ? sharing.deadlineNanos() : deadline;
                boolean isLastTry = awaited.is(Awaited.Kind.UNANSWERED);
                awaited = isLastTry ? Awaited.NOTHING : sharing.await(turn.shortages(now), deadline);
                if (awaited.is(Awaited.Kind.NOTHING)) {
                    turn.giveUp(sharing);
                    Part refusing = turn.longestRefusing(now);
                    return Answers.refused(ifShort, refusing.guard.endpoint, refusing.pool(), refusing.need, now, stay);
                }
            }
            now = sharing.nowMillis(); // while it waited, or looked up who is calling, its window may have ended
        }
    }

    private Decision taken(Turn turn) {
        for (Part part : turn.parts()) {
            sharing.left(part.pool(), part.pool().reading(now));
        }
        stay = Stay.begin(stay, turn, now, sharing, underWay, waiting);
        Part scarcest = turn.scarcest(now);
        return Answers.admitted(scarcest.guard.endpoint, scarcest.pool(), scarcest.reading(), now, stay);
    }
}
