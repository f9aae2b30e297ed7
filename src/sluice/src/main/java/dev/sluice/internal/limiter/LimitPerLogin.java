package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint.Caller;
import java.util.List;
import java.util.function.Function;

/**
 * An endpoint that counts the login attempts of one call, by the names that they try. All other facts about the
 * call were read before, so the call itself is not kept. Immutable and thread-safe.
 *
 * @param callers the caller, by the name that an attempt tries
 * @param cost the cost of an attempt
 */
record LimitPerLogin(CompiledEndpoint compiledEndpoint, Function<String, Caller> callers, long cost) {

    static LimitPerLogin of(CompiledEndpoint compiledEndpoint, Call call) {
        return new LimitPerLogin(compiledEndpoint, compiledEndpoint.callerByLogin(call), compiledEndpoint.cost(call));
    }

    /** The permits that an attempt takes here. Its name is known only as the key of its counter. */
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
