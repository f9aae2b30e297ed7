package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The compiled endpoints that apply to a call. Almost every call has only one endpoint, which needs no list. If several
 * interpretations (<em>readings</em>) of the path or query matter, there is one endpoint for each of them. Immutable
 * and thread-safe.
 */
public sealed interface MatchedEndpoints {

    /** A single endpoint. */
    record One(CompiledEndpoint endpoint) implements MatchedEndpoints {

        @Override
        public List<CompiledEndpoint> compiledEndpoints() {
            return List.of(endpoint);
        }

        /** This method runs for every call, so it must not create a list. */
        @Override
        public boolean dependsOnReading() {
            return endpoint.dependsOnReading;
        }

        @Override
        public @Nullable MatchedEndpoints withoutExcepted(Call call) {
            return endpoint.hasExceptions && endpoint.paths.isExcepted(call) ? null : this;
        }
    }

    /** Several endpoints. */
    record Several(List<CompiledEndpoint> compiledEndpoints) implements MatchedEndpoints {}

    /**
     * Endpoints for a call that can be interpreted in several ways.
     *
     * @param compiledEndpoints the endpoints; the same endpoint can occur several times, for interpretations that
     *     identify different callers
     * @param calls for each endpoint, the interpretation of the call to which the endpoint applies
     */
    record ByReading(List<CompiledEndpoint> compiledEndpoints, List<Call> calls) implements MatchedEndpoints {

        @Override
        public Call read(int compiledEndpoint, Call sent) {
            return calls.get(compiledEndpoint);
        }
    }

    /** Returns all endpoints that apply. */
    List<CompiledEndpoint> compiledEndpoints();

    /** Returns the interpretation of the call to which the endpoint at the given index applies. */
    default Call read(int compiledEndpoint, Call sent) {
        return sent;
    }

    /** Whether it matters to any of the endpoints how a call is interpreted. */
    default boolean dependsOnReading() {
        for (CompiledEndpoint compiledEndpoint : compiledEndpoints()) {
            if (compiledEndpoint.dependsOnReading) {
                return true;
            }
        }
        return false;
    }

    /** Returns the endpoints that make no exception for the call; {@code null} if none remain. */
    default @Nullable MatchedEndpoints withoutExcepted(Call call) {
        List<CompiledEndpoint> all = compiledEndpoints();
        List<CompiledEndpoint> remaining = all;
        for (CompiledEndpoint one : all) {
            if (one.hasExceptions && one.paths.isExcepted(call)) {
                remaining = remaining == all ? new ArrayList<>(all) : remaining;
                remaining.remove(one);
            }
        }
        return remaining == all ? this : of(remaining);
    }

    /** Returns an instance with the given endpoints; {@code null} if there are none. */
    static @Nullable MatchedEndpoints of(List<CompiledEndpoint> compiledEndpoints) {
        return switch (compiledEndpoints.size()) {
            case 0 -> null;
            case 1 -> new One(compiledEndpoints.get(0));
            default -> new Several(compiledEndpoints);
        };
    }

    /** Returns the union of these endpoints and {@code others}. */
    default MatchedEndpoints and(MatchedEndpoints others) {
        if (others.equals(this)) {
            return this;
        }
        List<CompiledEndpoint> all = new ArrayList<>(compiledEndpoints());
        for (CompiledEndpoint other : others.compiledEndpoints()) {
            if (!all.contains(other)) {
                all.add(other);
            }
        }
        return new Several(all);
    }
}
