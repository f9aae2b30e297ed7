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
 * The external objects to which a limits file can refer.
 *
 * @param server the name of this instance
 * @param resolvers the application's subject resolvers, by name
 * @param costs the application's cost resolvers, by name
 * @param clientSources the application's client sources, by name
 * @param variables the values that replace <code>${NAME}</code> in the file
 * @param warnings the receiver of warnings about callers at run time
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

    /** Creates a context without client sources. */
    public LoadContext(
            String server,
            Map<String, SubjectResolver> resolvers,
            Map<String, CostResolver> costs,
            Variables variables,
            CallerWarnings warnings) {
        this(server, resolvers, costs, Map.of(), variables, warnings);
    }

    /**
     * Creates a context that can only be used to validate a file. It assumes that the application registers these
     * names.
     */
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
