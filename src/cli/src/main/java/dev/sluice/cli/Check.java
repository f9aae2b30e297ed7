package dev.sluice.cli;

import dev.sluice.LimitsException;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.cli.output.FileNotation;
import dev.sluice.cli.output.FileSummary;
import dev.sluice.cli.output.ProblemList;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.text.SafeText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Reads a file as a service would, and prints whether a service could start with it. Opens no connections, so it cannot
 * detect that the store is unavailable.
 */
@Command(
        name = "check",
        description = "Checks whether a service could start with a file. If not, prints every mistake.",
        footer = {"", "Exit code: 0 if a service could start, even with warnings; 1 if not; 2 for wrong usage."})
final class Check implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The file to check; - for standard input.")
    private String file = "";

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    Check() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            LimitsFile read = LimitsReader.read(ConfigSources.named(file), resolvers.names());
            ProblemList warnings = new ProblemList(read.warnings());
            warnings.printEach(out);
            String count = warnings.problems().isEmpty() ? "" : "; " + warnings.count();
            out.println("OK " + read.name() + ": " + FileSummary.of(read) + count);
            read.limits().endpoints().stream()
                    // A condition can exempt calls that the file's author expects the endpoint to limit, so we print
                    // it.
                    .filter(FileNotation::isConditional)
                    .forEach(endpoint ->
                            out.println(SafeText.of("  " + endpoint.id() + " applies only when " + endpoint.when())));
            return ExitCode.OK;
        } catch (LimitsException e) {
            new ProblemList(e.problems()).print(out);
            return ExitCode.SOFTWARE;
        }
    }
}
