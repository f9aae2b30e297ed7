package dev.sluice.cli.command;

import dev.sluice.config.Sluice;
import dev.sluice.internal.config.keys.CostShape;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Option;

/** The option {@code --resolver}: names of resolvers that a file uses and that only the application can register. */
public final class ResolverOption {

    @Option(
            names = "--resolver",
            paramLabel = "NAME",
            description =
                    "A SubjectResolver, CostResolver or ClientSource that the application registers. Here such a subject has "
                            + "no value, such a cost is 1, and such a source knows no client. Can be given many times.")
    private Set<String> names = new LinkedHashSet<>();

    public ResolverOption() {}

    /** As the command line gave them, each once. */
    public Set<String> names() {
        return names;
    }

    /** Registers a resolver and a cost under each name, so that a file that names them can be opened. */
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
