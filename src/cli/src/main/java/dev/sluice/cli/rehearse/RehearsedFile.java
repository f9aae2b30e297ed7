package dev.sluice.cli.rehearse;

import static java.util.Objects.requireNonNull;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.SubjectResolver;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.file.LoadContext;
import dev.sluice.internal.config.keys.ClientsSection;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Limits;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file to rehearse. Log fields replace the application's resolvers with the same names.
 *
 * @param text the text of the file
 */
record RehearsedFile(LimitsFile file, String text) {

    private static final String NO_FILE = """
        - { id: by-tenant, pathPattern: /**, mode: dry-run, tiers: [ { period: 1m, threshold: 1000000 } ] }
        - { id: by-address, pathPattern: /**, per: [ ip ], mode: off, tiers: [ { period: 1m, threshold: 1000000 } ] }
        """;

    static RehearsedFile read(String name, Set<String> resolvers) {
        SourceContent content = SourceContent.of(ConfigSources.file(name));
        LimitsFile file = parse(content, resolvers);
        return new RehearsedFile(file, requireNonNull(content.text(new Findings(name))));
    }

    /**
     * Creates the file that is used if the user specifies none. It defines the subjects that can key a
     * suggested limit.
     */
    static RehearsedFile none(Set<String> resolvers) {
        return new RehearsedFile(parse(SourceContent.of(ConfigSources.text("no file", NO_FILE)), resolvers), NO_FILE);
    }

    /** Parses the limits in a text that has not been written to a file yet. */
    static Limits parse(String yaml, Set<String> resolvers) {
        return parse(SourceContent.of(ConfigSources.text("the suggestion", yaml)), resolvers)
                .limits();
    }

    Limits limits() {
        return file.limits();
    }

    private static LimitsFile parse(SourceContent content, Set<String> resolvers) {
        Map<String, SubjectResolver> subjects =
                resolvers.stream().collect(Collectors.toMap(Function.identity(), name -> call -> call.attribute(name)));
        Map<String, CostResolver> costs =
                resolvers.stream().collect(Collectors.toMap(Function.identity(), name -> call -> cost(call, name)));
        Map<String, ClientsSection.Opener> clients = resolvers.stream()
                .collect(Collectors.toMap(Function.identity(), name -> (refresh, plans) -> ClientDirectory.EMPTY));
        LoadContext context =
                new LoadContext("this-server", subjects, costs, clients, Variables.ofProcess(), CallerWarnings.NONE);
        return LimitsReader.parse(content, context);
    }

    private static long cost(Call call, String name) {
        @Nullable String told = call.attribute(name);
        try {
            return told == null ? 1 : Long.parseLong(told.strip());
        } catch (NumberFormatException e) {
            return 1;
        }
    }
}
