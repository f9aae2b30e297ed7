package dev.sluice.limits;

import dev.sluice.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plans in a file, and the places where a caller's plan and name are found. Sluice looks for the plan first in the
 * caller's item in the list of clients, then in the directory, and finally in the sources that read the call. If none
 * of them yields a plan, the caller has the default plan. Immutable and thread-safe.
 *
 * @param byName the plans by name
 * @param byDefault the name of the default plan; empty if there is none
 * @param claimed the sources that yield a plan's name from a call
 * @param directory the clients that are not in the list; {@code null} if there are none
 * @param names the display names of the listed clients, by the subject that identifies the client and then by key
 */
public record Plans(
        Map<String, Plan> byName,
        String byDefault,
        List<SubjectSource> claimed,
        @Nullable Directory directory,
        Map<String, Map<String, String>> names) {

    /** No plans and no names. */
    public static final Plans NONE = new Plans(Map.of(), "", List.of(), null, Map.of());

    public Plans {
        byName = Map.copyOf(byName);
        claimed = List.copyOf(claimed);
        names = Map.copyOf(names);
    }

    /**
     * The clients that are not listed in the file.
     *
     * @param subject the subject that identifies these clients
     * @param chain the sources of that subject
     * @param from the name of the directory in the file: the name of a {@link ClientSource}, or {@code file:} and the
     *     path of a table
     * @param clients the look-up of these clients
     */
    public record Directory(String subject, List<SubjectSource> chain, String from, ClientDirectory clients) {}

    /** Returns the display name of the client that this subject identifies; {@code null} if it has none. */
    public @Nullable String nameOf(Subject subject) {
        String listed = names.isEmpty()
                ? null
                : names.getOrDefault(subject.name(), Map.of()).get(subject.value());
        if (listed != null || directory == null || !directory.subject.equals(subject.name())) {
            return listed;
        }
        String known = directory.clients.nameOf(subject.source(), subject.value());
        return known.isEmpty() ? null : known;
    }

    /** Returns a copy with the given change applied to each plan. Callers stay on their plans. */
    public Plans changed(UnaryOperator<Plan> change) {
        Map<String, Plan> changed = new HashMap<>();
        byName.forEach((name, plan) -> changed.put(name, change.apply(plan)));
        return new Plans(changed, byDefault, claimed, directory, names);
    }

    /** Returns all sources that determine a caller's plan. */
    public Stream<SubjectSource> sources() {
        return Stream.concat(claimed.stream(), directory == null ? Stream.of() : directory.chain.stream());
    }
}
