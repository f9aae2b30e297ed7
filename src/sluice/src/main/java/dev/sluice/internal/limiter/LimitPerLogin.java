package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint.Caller;
import java.util.List;
import java.util.function.Function;

/**
 * An endpoint that counts attempts of one call to log in, by the names that they try. Knows all else of the call, but
 * does not keep it. Immutable and thread-safe.
 *
 * @param callers the caller, by the name that an attempt tries
 * @param cost of an attempt
 */
record LimitPerLogin(CompiledEndpoint compiledEndpoint, Function<String, Caller> callers, long cost) {

    static LimitPerLogin of(CompiledEndpoint compiledEndpoint, Call call) {
        return new LimitPerLogin(compiledEndpoint, compiledEndpoint.callerByLogin(call), compiledEndpoint.cost(call));
    }

    /** What an attempt takes here. Knows its name by the key of its counter alone. */
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
