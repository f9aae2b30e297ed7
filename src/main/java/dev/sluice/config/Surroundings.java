package dev.sluice.config;

import dev.sluice.SubjectResolver;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a file may refer to and does not hold itself.
 *
 * @param server this instance's name
 * @param resolvers the application's own, by name
 * @param variables for <code>${NAME}</code>
 * @param unbelieved is run when a call says where it comes from and the file trusts nobody to say so
 */
record Surroundings(String server, Map<String, SubjectResolver> resolvers, Variables variables, Runnable unbelieved) {

    /** Where nobody need hear of calls that are not believed. */
    Surroundings(String server, Map<String, SubjectResolver> resolvers, Variables variables) {
        this(server, resolvers, variables, () -> {});
    }

    Surroundings {
        resolvers = Map.copyOf(resolvers);
    }

    /** Enough to check a file: resolvers of these names are taken to exist. */
    static Surroundings ofNames(Set<String> resolvers) {
        return new Surroundings(
                "this-server",
                resolvers.stream().collect(Collectors.toMap(name -> name, name -> call -> null)),
                Variables.ofProcess());
    }
}
