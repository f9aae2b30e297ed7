package dev.sluice.cli.command;

import dev.sluice.internal.config.keys.CostShape;
import dev.sluice.open.Sluice;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Option;

/** The option {@code --resolver}. It gives names in a file for which only the application can register a resolver. */
public final class ResolverOption {

    @Option(
            names = "--resolver",
            paramLabel = "NAME",
            description =
                    "A SubjectResolver, CostResolver or ClientSource that the application registers. Here the subject"
                            + " has no value, the cost is 1, and the source knows no client. Can be repeated.")
    private Set<String> names = new LinkedHashSet<>();

    public ResolverOption() {}

    /** The names, each once, in the order of the command line. */
    public Set<String> names() {
        return names;
    }

    /** Registers resolvers that find nothing, so that a file with these names can be opened. */
    public Sluice.Builder registeredWith(Sluice.Builder builder) {
        for (String name : names) {
            builder.resolver(name, call -> null);
            builder.clientSource(name, (source, value) -> CompletableFuture.completedFuture(Optional.empty()));
            if (CostShape.isName(name)) {
                builder.costResolver(name, call -> 1);
            }
        }
        return builder;
    }
}
