package dev.sluice.internal.config.file;

import dev.sluice.CostResolver;
import dev.sluice.SubjectResolver;
import dev.sluice.internal.config.keys.ClientsSection;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.limits.ClientDirectory;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a file may refer to outside its own content.
 *
 * @param server the name of this instance
 * @param resolvers the application's resolvers of subjects, by name
 * @param costs the application's resolvers of costs, by name
 * @param clientSources the application's sources of clients, by name
 * @param variables the values of <code>${NAME}</code>
 * @param warnings receives warnings about callers while calls are served
 */
public record LoadContext(
        String server,
        Map<String, SubjectResolver> resolvers,
        Map<String, CostResolver> costs,
        Map<String, ClientsSection.Opener> clientSources,
        Variables variables,
        CallerWarnings warnings) {

    public LoadContext {
        resolvers = Map.copyOf(resolvers);
        costs = Map.copyOf(costs);
        clientSources = Map.copyOf(clientSources);
    }

    /** A context without sources of clients. */
    public LoadContext(
            String server,
            Map<String, SubjectResolver> resolvers,
            Map<String, CostResolver> costs,
            Variables variables,
            CallerWarnings warnings) {
        this(server, resolvers, costs, Map.of(), variables, warnings);
    }

    /** A context for only checking a file: assumes that the application registers these names. */
    static LoadContext ofNames(Set<String> names) {
        return new LoadContext(
                "this-server",
                names.stream().collect(Collectors.toMap(name -> name, name -> call -> null)),
                names.stream().collect(Collectors.toMap(name -> name, name -> call -> 1)),
                names.stream()
                        .collect(Collectors.toMap(name -> name, name -> (refresh, plans) -> ClientDirectory.EMPTY)),
                Variables.ofProcess(),
                CallerWarnings.NONE);
    }
}
