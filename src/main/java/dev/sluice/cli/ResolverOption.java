package dev.sluice.cli;

import dev.sluice.config.Sluice;
import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine.Option;

/** Names what a file may speak of and only the application has. */
final class ResolverOption {

    @Option(
            names = "--resolver",
            paramLabel = "NAME",
            description =
                    "A source of subjects or a cost that the application registers; here the one yields nothing and the "
                            + "other is 1. Can be given many times.")
    private Set<String> names = new LinkedHashSet<>();

    ResolverOption() {}

    Set<String> names() {
        return names;
    }

    Sluice.Builder registeredWith(Sluice.Builder builder) {
        names.forEach(name -> builder.resolver(name, call -> null).costResolver(name, call -> 1));
        return builder;
    }
}
