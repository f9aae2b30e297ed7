package dev.sluice.limiter.definition;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The compiled endpoints that a call has to pass: one, nearly always, which needs no list, or several. Where a path or
 * query can be read in several ways, and tells who calls, there is one for each reading.
 */
public sealed interface Matched {

    /** A single endpoint. */
    record One(CompiledEndpoint endpoint) implements Matched {

        @Override
        public List<CompiledEndpoint> compiledEndpoints() {
            return List.of(endpoint);
        }
    }

    /** Several endpoints. */
    record Several(List<CompiledEndpoint> compiledEndpoints) implements Matched {}

    /**
     * What a call has to pass that is read in several ways.
     *
     * @param compiledEndpoints some of them several times, for readings by which they may find other callers
     * @param calls for each of the endpoints, the call as it reads it
     */
    record ByReading(List<CompiledEndpoint> compiledEndpoints, List<Call> calls) implements Matched {

        @Override
        public Call read(int compiledEndpoint, Call sent) {
            return calls.get(compiledEndpoint);
        }
    }

    /** Those that have to let the call pass. */
    List<CompiledEndpoint> compiledEndpoints();

    /** The call as the endpoint at that place reads it. */
    default Call read(int compiledEndpoint, Call sent) {
        return sent;
    }

    /** Whether it matters to any of them in which way a call is read. */
    default boolean dependsOnReading() {
        for (CompiledEndpoint compiledEndpoint : compiledEndpoints()) {
            if (compiledEndpoint.dependsOnReading) {
                return true;
            }
        }
        return false;
    }

    /** These; {@code null} if there are none. */
    static @Nullable Matched of(List<CompiledEndpoint> compiledEndpoints) {
        return switch (compiledEndpoints.size()) {
            case 0 -> null;
            case 1 -> new One(compiledEndpoints.get(0));
            default -> new Several(compiledEndpoints);
        };
    }

    /** These and others, some of which may be the same. */
    default Matched and(Matched others) {
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
