package dev.sluice.config.file;

import dev.sluice.CostResolver;
import dev.sluice.SubjectResolver;
import dev.sluice.config.yaml.Variables;
import dev.sluice.match.caller.SilentSource;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a file may refer to and does not hold itself.
 *
 * @param server this instance's name
 * @param resolvers the application's own, by name
 * @param costs the application's own resolvers of costs, by name
 * @param variables for <code>${NAME}</code>
 * @param unbelieved is run when a call says where it comes from and the file trusts nobody to say so
 * @param silent receives sources of subjects that yield nothing
 */
public record LoadContext(
        String server,
        Map<String, SubjectResolver> resolvers,
        Map<String, CostResolver> costs,
        Variables variables,
        Runnable unbelieved,
        SilentSource silent) {

    public LoadContext {
        resolvers = Map.copyOf(resolvers);
        costs = Map.copyOf(costs);
    }

    /** One that tells nobody of sources that yield nothing. */
    public LoadContext(
            String server,
            Map<String, SubjectResolver> resolvers,
            Map<String, CostResolver> costs,
            Variables variables,
            Runnable unbelieved) {
        this(server, resolvers, costs, variables, unbelieved, SilentSource.IGNORED);
    }

    /** Enough to check a file: resolvers of these names, of subjects and of costs, are taken to exist. */
    static LoadContext ofNames(Set<String> names) {
        return new LoadContext(
                "this-server",
                names.stream().collect(Collectors.toMap(name -> name, name -> call -> null)),
                names.stream().collect(Collectors.toMap(name -> name, name -> call -> 1)),
                Variables.ofProcess(),
                () -> {});
    }
}
