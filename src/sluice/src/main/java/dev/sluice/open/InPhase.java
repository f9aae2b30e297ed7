package dev.sluice.open;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Phase;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.limiter.CountingRateLimiter;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A limiter that applies only the endpoints of one phase. */
record InPhase(RateLimiter whole, CountingRateLimiter limiter, Phase phase) implements RateLimiter {

    static Map<Phase, RateLimiter> all(RateLimiter whole, CountingRateLimiter limiter) {
        return Map.of(
                Phase.BEFORE_AUTHENTICATION,
                new InPhase(whole, limiter, Phase.BEFORE_AUTHENTICATION),
                Phase.AFTER_AUTHENTICATION,
                new InPhase(whole, limiter, Phase.AFTER_AUTHENTICATION));
    }

    @Override
    public Decision decide(Call call) {
        return limiter.decide(call, phase);
    }

    @Override
    public CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return limiter.decideAsync(call, phase, executor);
    }

    @Override
    public Decision decideOn(String name, Call call) {
        return whole.decideOn(name, call);
    }

    @Override
    public CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return whole.decideOnAsync(name, call, executor);
    }

    @Override
    public InstantSource clock() {
        return whole.clock();
    }

    @Override
    public ResponseOptions responses() {
        return whole.responses();
    }
}
