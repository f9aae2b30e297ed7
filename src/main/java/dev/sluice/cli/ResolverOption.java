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
            description = "A source of subjects that the application registers and that yields nothing here; "
                    + "can be given many times.")
    private Set<String> names = new LinkedHashSet<>();

    ResolverOption() {}

    Set<String> names() {
        return names;
    }

    Sluice.Builder registeredWith(Sluice.Builder builder) {
        names.forEach(name -> builder.resolver(name, call -> null));
        return builder;
    }
}
