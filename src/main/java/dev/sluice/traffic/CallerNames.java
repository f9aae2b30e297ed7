package dev.sluice.traffic;

import dev.sluice.Subject;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people call callers. Safe for any threads. */
@FunctionalInterface
public interface CallerNames {

    /** Nobody has a name. */
    CallerNames NONE = subject -> null;

    /** The name of the client that is counted by this subject; {@code null} if it has none. */
    @Nullable String of(Subject subject);

    /** For people, for example {@code acme}, or {@code acme,user=eve}; empty if no subject has a name. */
    default String of(List<Subject> caller) {
        if (caller.stream().allMatch(subject -> of(subject) == null)) {
            return "";
        }
        return caller.stream()
                .map(subject -> {
                    String name = of(subject);
                    return name == null ? subject.name() + '=' + subject.value() : name;
                })
                .collect(Collectors.joining(","));
    }
}
