package dev.sluice.cli.command;

import dev.sluice.internal.config.keys.CostShape;
import dev.sluice.open.Sluice;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Option;

/**
 * The {@code --resolver} option. It lists the names in the file for which only the application can register resolvers.
 */
public final class ResolverOption {

    @Option(
            names = "--resolver",
            paramLabel = "NAME",
            description =
                    "A SubjectResolver, CostResolver or ClientSource that the application registers. In this command, "
                            + "the subject has no value, the cost is 1, and the source has no clients. Repeatable.")
    private Set<String> names = new LinkedHashSet<>();

    public ResolverOption() {}

    /** Returns the distinct names, in command-line order. */
    public Set<String> names() {
        return names;
    }

    /** Registers resolvers that find nothing under these names, so that a file with these names can be opened. */
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
