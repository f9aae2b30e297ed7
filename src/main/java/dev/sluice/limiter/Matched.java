package dev.sluice.limiter;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The guards that a call has to pass: one, nearly always, which needs no list, or several. Where a path or query can be read in several ways,
 * and tells who calls, there is one for each reading.
 */
sealed interface Matched permits Guard, Matched.Several, Matched.ByReading {

    /** Several guards. */
    record Several(List<Guard> guards) implements Matched {}

    /**
     * What a call has to pass that is read in several ways.
     *
     * @param guards some of them several times, for readings by which they may find other callers
     * @param calls for each of the guards, the call as it reads it
     */
    record ByReading(List<Guard> guards, List<Call> calls) implements Matched {

        @Override
        public Call read(int guard, Call sent) {
            return calls.get(guard);
        }
    }

    /** Those that have to let the call pass. */
    List<Guard> guards();

    /** The call as the guard at that place reads it. */
    default Call read(int guard, Call sent) {
        return sent;
    }

    /** Whether it matters to any of them in which way a call is read. */
    default boolean dependsOnReading() {
        for (Guard guard : guards()) {
            if (guard.dependsOnReading) {
                return true;
            }
        }
        return false;
    }

    /** These; {@code null} if there are none. */
    static @Nullable Matched of(List<Guard> guards) {
        return switch (guards.size()) {
            case 0 -> null;
            case 1 -> guards.get(0);
            default -> new Several(guards);
        };
    }

    /** These and others, some of which may be the same. */
    default Matched and(Matched others) {
        if (others == this) {
            return this;
        }
        List<Guard> all = new ArrayList<>(guards());
        for (Guard other : others.guards()) {
            if (!all.contains(other)) {
                all.add(other);
            }
        }
        return new Several(all);
    }
}
