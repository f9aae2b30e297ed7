package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.sandbox.SandboxServer;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.tier.Tier;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One call that passes through a server, a filter and a limiter. All three are created only for this call. This class
 * sits between the filter and the limiter. It adds the facts about the caller that the server cannot know, passes the
 * call on to the limiter, and records the call and the decision.
 */
final class ExplainedCall implements RateLimiter {

    private final CountingRateLimiter limiter;
    private final Limits limits;
    private final UnaryOperator<Call> caller;
    private final Instant moment;
    private volatile @Nullable SeenCall seen;
    private volatile @Nullable Decision decision;

    private ExplainedCall(CountingRateLimiter limiter, Limits limits, UnaryOperator<Call> caller, Instant moment) {
        this.limiter = limiter;
        this.limits = limits;
        this.caller = caller;
        this.moment = moment;
    }

    /** The call, the decision, and the response that the caller receives. */
    record Result(SeenCall call, Decision decision, AnswerRecorder.Answer answer) {}

    /**
     * The call as the limiter saw it.
     *
     * @param explanations the counters that count the call
     * @param excepted the ids of endpoints whose {@code except} excludes the call's path
     * @param unmet the conditions that the call does not meet, by endpoint id. Each text includes the actual value
     * @param costs the cost of the call, by endpoint id; 0 if the application charges for the call later
     * @param plans the plans that callers can have
     * @param unknownInFront the ids of endpoints that are applied before authentication, while the caller's client or
     *     plan is still unknown
     */
    record SeenCall(
            String method,
            String path,
            List<Explanation> explanations,
            Set<String> excepted,
            Map<String, List<String>> unmet,
            Map<String, Long> costs,
            Plans plans,
            Set<String> unknownInFront) {

        /** Returns the cost of the call in this tier. At a {@code concurrency} limit, the cost is at most 1. */
        long cost(Endpoint endpoint, Tier tier) {
            long cost = costs.getOrDefault(endpoint.id(), 1L);
            return tier.limit().hasPeriod() ? cost : Math.min(cost, 1);
        }

        boolean isCountedAt(Endpoint endpoint) {
            return explanations.stream().anyMatch(one -> one.endpoint().id().equals(endpoint.id()));
        }
    }

    /**
     * Makes the call. The limiter's clock stands still in the meantime, so that the counters and the response belong to
     * the same window.
     *
     * @param request the request in HTTP syntax
     * @param caller a function that adds the facts about the caller to the call
     * @param moment the time of the call
     */
    static Result of(Limits limits, String request, UnaryOperator<Call> caller, Instant moment) throws Exception {
        InstantSource oneMoment = InstantSource.fixed(moment);
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, oneMoment, RateLimitListener.NONE)) {
            ExplainedCall explained = new ExplainedCall(limiter, limits, caller, moment);
            AnswerRecorder watch = new AnswerRecorder();
            RateLimitFilter filter = new RateLimitFilter(explained, RefusalHandler.PROBLEM_JSON, oneMoment);
            try (SandboxServer sandbox = new SandboxServer(filter, List.of(watch), new EmptyServlet())) {
                String answer = sandbox.answer(request);
                SeenCall seen = explained.seen;
                Decision decision = explained.decision;
                if (seen == null || decision == null) {
                    throw new CommandFailure(
                            "the server answers this request before the limiter sees it: " + firstLine(answer));
                }
                return new Result(seen, decision, watch.answer());
            }
        }
    }

    private static String firstLine(@Nullable String answer) {
        return answer == null ? "nothing" : answer.lines().findFirst().orElse("nothing");
    }

    @Override
    public Decision decide(Call call) {
        Call asCaller = caller.apply(call);
        seen = new SeenCall(
                asCaller.method(),
                asCaller.path(),
                limiter.explain(asCaller),
                excepted(asCaller),
                unmet(asCaller),
                costs(asCaller),
                limits.plans(),
                limiter.decidedTooEarly(asCaller).stream().map(Endpoint::id).collect(Collectors.toSet()));
        Decision decided = limiter.decide(asCaller);
        decision = decided;
        return decided;
    }

    private Set<String> excepted(Call call) {
        return limits.endpoints().stream()
                .filter(endpoint -> EndpointPaths.of(endpoint.pathPatterns(), endpoint.except(), limits.caseSensitive())
                        .isExcepted(call))
                .map(Endpoint::id)
                .collect(Collectors.toSet());
    }

    private Map<String, Long> costs(Call call) {
        Map<String, Long> costs = new HashMap<>();
        limits.endpoints()
                .forEach(endpoint ->
                        costs.put(endpoint.id(), endpoint.cost().resolver().resolve(call)));
        return costs;
    }

    private Map<String, List<String>> unmet(Call call) {
        Map<String, List<String>> unmet = new HashMap<>();
        for (Endpoint endpoint : limits.endpoints()) {
            List<String> conditions = DescribedCondition.of(endpoint.when()).stream()
                    .filter(one -> !one.holds(call, moment.toEpochMilli()))
                    .map(one -> one + " (found " + found(one.found(call, moment.toEpochMilli())) + ")")
                    .toList();
            unmet.put(endpoint.id(), conditions);
        }
        return unmet;
    }

    private static String found(String text) {
        return text.isEmpty() ? "nothing" : SafeText.of(text);
    }

    @Override
    public ResponseOptions responses() {
        return limiter.responses();
    }
}
