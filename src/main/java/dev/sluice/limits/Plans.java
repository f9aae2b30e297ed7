package dev.sluice.limits;

import dev.sluice.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a file, and where a caller's plan and name are found: in the client of the list that it is, otherwise in
 * the directory, otherwise in what a source says; otherwise it has the default plan.
 *
 * @param byName the plans
 * @param byDefault the name of the plan of all others; empty if they have none
 * @param claimed sources that yield the name of the caller's plan
 * @param directory clients outside the list; {@code null} if there are none
 * @param names the names of clients in the list, by the subject that identifies them and the value they are counted by
 */
public record Plans(
        Map<String, Plan> byName,
        String byDefault,
        List<SubjectSource> claimed,
        @Nullable Directory directory,
        Map<String, Map<String, String>> names) {

    /** Nobody has a plan or a name. */
    public static final Plans NONE = new Plans(Map.of(), "", List.of(), null, Map.of());

    public Plans {
        byName = Map.copyOf(byName);
        claimed = List.copyOf(claimed);
        names = Map.copyOf(names);
    }

    /**
     * Clients outside the list.
     *
     * @param subject the subject that identifies them
     * @param chain its sources
     */
    public record Directory(String subject, List<SubjectSource> chain, ClientDirectory clients) {}

    /** The name of the client that is counted by this subject; {@code null} if it has none. */
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

    /** These plans, each changed in the same way. Callers have the same ones as before. */
    public Plans changed(UnaryOperator<Plan> change) {
        Map<String, Plan> changed = new HashMap<>();
        byName.forEach((name, plan) -> changed.put(name, change.apply(plan)));
        return new Plans(changed, byDefault, claimed, directory, names);
    }

    /** All sources that decide which plan a caller has. */
    public Stream<SubjectSource> sources() {
        return Stream.concat(claimed.stream(), directory == null ? Stream.of() : directory.chain.stream());
    }
}
