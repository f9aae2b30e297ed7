package dev.sluice.cli.compare;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.RateLimitListener;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The same limiter that services run, with a single limit and a virtual clock. The clock stands still between calls.
 * Not thread-safe.
 */
final class VirtualLimiter implements AutoCloseable {

    private final CountingRateLimiter limiter;
    private volatile long nowMillis;

    VirtualLimiter(Limit limit) {
        limiter = new CountingRateLimiter(
                limits(new Tier("compared", limit)), () -> Instant.ofEpochMilli(nowMillis), RateLimitListener.NONE);
    }

    /**
     * Returns limits with a single endpoint for all paths. The endpoint has the given tier, and is keyed by address.
     */
    static Limits limits(Tier tier) {
        return limits(tier, 1_000_000);
    }

    /** Returns the same limits as {@link #limits(Tier)}, but with the given maximum number of counters. */
    static Limits limits(Tier tier, int counters) {
        Endpoint endpoint = new Endpoint(
                "compared",
                Set.of(),
                "/**",
                List.of("tenant"),
                Mode.ENFORCE,
                Condition.ALWAYS,
                Set.of(),
                new Cost(
                        "of the call",
                        call -> call instanceof ComparedCall compared ? compared.cost : 1,
                        Cost.Settling.NONE),
                List.of(tier));
        Map<String, List<SubjectSource>> subjects = Map.of("tenant", List.of(new SubjectSource("ip", Call::ip)));
        return new Limits(List.of(endpoint), subjects, true, counters, ResponseOptions.DEFAULT);
    }

    /** The name of the caller with the given number. */
    static String name(int caller) {
        return String.valueOf(caller);
    }

    static Call call(String tenant) {
        return new ComparedCall(tenant, 1);
    }

    /** Makes a call on behalf of this tenant at this moment, and returns the decision. */
    Decision decide(String tenant, long atMillis) {
        return decide(call(tenant), atMillis);
    }

    /**
     * Returns the number of the tenant's remaining calls at this moment. This method reads the number with a call of
     * cost 0, because such a call takes no permit.
     */
    long left(String tenant, long atMillis) {
        return decide(new ComparedCall(tenant, 0), atMillis).remaining();
    }

    private Decision decide(Call call, long atMillis) {
        nowMillis = atMillis;
        return limiter.decide(call);
    }

    @Override
    public void close() {
        limiter.close();
    }

    private record ComparedCall(String ip, long cost) implements Call {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/compared"; // unlike "/", it has a single reading, so the cost resolver receives this exact call
        }
    }
}
