package dev.sluice.limiter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The guards that a call has to pass: one, nearly always, which needs no list, or several. */
sealed interface Matched permits Guard, Matched.Several {

    /** Several guards. */
    record Several(List<Guard> guards) implements Matched {}

    /** Each once. */
    List<Guard> guards();

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
