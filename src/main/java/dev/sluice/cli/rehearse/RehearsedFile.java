package dev.sluice.cli.rehearse;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.SubjectResolver;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.config.file.LimitsFile;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.config.file.LoadContext;
import dev.sluice.config.source.SourceContent;
import dev.sluice.config.yaml.Variables;
import dev.sluice.limits.ConfigSource;
import dev.sluice.match.caller.CallerWarnings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a file to be rehearsed: what the application would resolve is read from fields of the log. */
final class RehearsedFile {

    private RehearsedFile() {}

    static LimitsFile read(String file, Set<String> resolvers) {
        return read(ConfigSources.file(file), resolvers);
    }

    /** One that is not written yet. */
    static LimitsFile parse(String yaml, Set<String> resolvers) {
        return read(ConfigSources.text("the suggestion", yaml), resolvers);
    }

    /** What stands in the file. */
    static String text(String file) {
        try {
            return new String(ConfigSources.file(file).read(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static LimitsFile read(ConfigSource source, Set<String> resolvers) {
        Map<String, SubjectResolver> subjects =
                resolvers.stream().collect(Collectors.toMap(Function.identity(), name -> call -> call.attribute(name)));
        Map<String, CostResolver> costs =
                resolvers.stream().collect(Collectors.toMap(Function.identity(), name -> call -> cost(call, name)));
        LoadContext context =
                new LoadContext("this-server", subjects, costs, Variables.ofProcess(), CallerWarnings.NONE);
        return LimitsReader.parse(SourceContent.of(source), context);
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
