package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The compiled endpoints that apply to a call: nearly always one, which needs no list; or several. If a path or query
 * has several readings that matter, there is one for each reading. Immutable and thread-safe.
 */
public sealed interface MatchedEndpoints {

    /** A single endpoint. */
    record One(CompiledEndpoint endpoint) implements MatchedEndpoints {

        @Override
        public List<CompiledEndpoint> compiledEndpoints() {
            return List.of(endpoint);
        }

        /** Called for each call, so it must not create a list. */
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
     * Endpoints for a call with several readings.
     *
     * @param compiledEndpoints may repeat an endpoint, for readings that find different callers
     * @param calls for each of the endpoints, the call in its reading
     */
    record ByReading(List<CompiledEndpoint> compiledEndpoints, List<Call> calls) implements MatchedEndpoints {

        @Override
        public Call read(int compiledEndpoint, Call sent) {
            return calls.get(compiledEndpoint);
        }
    }

    /** All endpoints that apply. */
    List<CompiledEndpoint> compiledEndpoints();

    /** The call in the reading of the endpoint at this index. */
    default Call read(int compiledEndpoint, Call sent) {
        return sent;
    }

    /** Whether a call's reading matters to any of them. */
    default boolean dependsOnReading() {
        for (CompiledEndpoint compiledEndpoint : compiledEndpoints()) {
            if (compiledEndpoint.dependsOnReading) {
                return true;
            }
        }
        return false;
    }

    /** Those of which no exception covers the call; {@code null} if there are none. */
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

    /** Creates the value for these endpoints; {@code null} if there are none. */
    static @Nullable MatchedEndpoints of(List<CompiledEndpoint> compiledEndpoints) {
        return switch (compiledEndpoints.size()) {
            case 0 -> null;
            case 1 -> new One(compiledEndpoints.get(0));
            default -> new Several(compiledEndpoints);
        };
    }

    /** The union of these and others. */
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
