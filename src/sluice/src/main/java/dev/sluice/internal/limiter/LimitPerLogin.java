package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint.Caller;
import java.util.List;
import java.util.function.Function;

/**
 * An endpoint that counts the login attempts of one call by the attempted names. All other facts about the call have
 * already been read, so the call itself is not stored. Immutable and thread-safe.
 *
 * @param callers the function that determines the caller from the attempted name
 * @param cost the cost of an attempt
 */
record LimitPerLogin(CompiledEndpoint compiledEndpoint, Function<String, Caller> callers, long cost) {

    static LimitPerLogin of(CompiledEndpoint compiledEndpoint, Call call) {
        return new LimitPerLogin(compiledEndpoint, compiledEndpoint.callerByLogin(call), compiledEndpoint.cost(call));
    }

    /**
     * The permits that a login attempt takes from this endpoint. The attempted name is stored only as the key of its
     * counter.
     */
    record Tried(CompiledEndpoint compiledEndpoint, Caller caller, long cost) {

        void addTo(List<TierAcquisition> parts) {
            for (CounterFamily family : caller.families()) {
                parts.add(new TierAcquisition(compiledEndpoint, family, caller.values(), cost));
            }
        }
    }

    Tried by(String name) {
        return new Tried(compiledEndpoint, callers.apply(name), cost);
    }
}
