package dev.sluice.traffic;

import dev.sluice.Subject;
import dev.sluice.internal.text.CallerText;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the display names that reports show for callers. These are the names of clients. Thread-safe. */
@FunctionalInterface
public interface CallerNames {

    /** Finds no names. */
    CallerNames NONE = subject -> null;

    /** Returns the name of the client that this subject identifies; {@code null} if there is none. */
    @Nullable String of(Subject subject);

    /**
     * Returns the caller's display name, for example {@code acme} or {@code acme, user=eve}; empty if none of the
     * caller's subjects has a name.
     */
    default String of(List<Subject> caller) {
        if (caller.stream().allMatch(subject -> of(subject) == null)) {
            return "";
        }
        return caller.stream()
                .map(subject -> {
                    String name = of(subject);
                    return name == null ? CallerText.of(List.of(subject), Subject::value) : name;
                })
                .collect(Collectors.joining(", "));
    }
}
