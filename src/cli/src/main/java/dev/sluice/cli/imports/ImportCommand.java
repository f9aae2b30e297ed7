package dev.sluice.cli.imports;

import dev.sluice.LimitsException.Problem;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.OutputFile;
import dev.sluice.cli.command.StandardOutput;
import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark;
import dev.sluice.cli.output.CountText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Translates the settings of the Bucket4j starter into a limits file. */
@Command(
        name = "import",
        description = {
            "Translates the settings of the Bucket4j starter for Spring Boot into a rate-limits.yml.",
            "Lists each setting that has a different meaning here, or no counterpart. "
                    + "Limits that might refuse more calls than before start as a dry run."
        },
        footer = {
            "",
            "For example:",
            "  sluice import application.yml --output rate-limits.yml",
            "",
            "Exit code: 0 if it wrote a result, even if parts are missing; 8 if nothing could be imported; "
                    + "1 if a file cannot be read or written; 2 for wrong usage."
        })
public final class ImportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            description = "An application.yml with the starter's settings; - for standard input.")
    private String file = "";

    @Option(names = "--output", paramLabel = "FILE", description = "The file to write; default: standard output.")
    private @Nullable Path output;

    @Option(names = "--force", description = "Replaces the --output file if it exists.")
    private boolean force;

    @Option(
            names = "--enforce",
            description = "Enforces all limits, even those that might refuse more calls than before.")
    private boolean enforce;

    ImportCommand() {}

    @Override
    public Integer call() {
        Path target = output;
        if (target != null) {
            OutputFile.requireNew(target, force);
        }
        Draft draft = Bucket4jImport.draft(SpringFile.read(ConfigSources.named(file)));
        if (enforce) {
            draft.enforceAll();
        }
        String yaml = draft.yaml();
        List<Problem> problems = draft.isEmpty() ? List.of() : Draft.problems(yaml);
        if (!problems.isEmpty()) {
            throw new CommandFailure("the result cannot be used: " + problems.get(0));
        }
        if (!draft.isEmpty()) {
            write(yaml, target);
        }
        printRemarks(draft, target);
        return draft.isEmpty() ? ExitCodes.NOTHING_IMPORTED : ExitCode.OK;
    }

    private void write(String yaml, @Nullable Path target) {
        if (target == null) {
            StandardOutput.printFile(spec.commandLine(), yaml);
        } else {
            OutputFile.write(target, yaml);
        }
    }

    /** Prints remarks and counts to standard error, separately from the result. */
    private void printRemarks(Draft draft, @Nullable Path target) {
        PrintWriter err = spec.commandLine().getErr();
        String name = file.equals("-") ? "standard input" : file;
        draft.remarks().forEach(remark -> err.println(remark.line(name)));
        List<String> counts = new ArrayList<>();
        counts.add(CountText.of(draft.endpoints().size(), "endpoint")
                + (target == null || draft.isEmpty() ? "" : " written to " + target));
        if (draft.dryRuns() > 0) {
            counts.add(draft.dryRuns() + " in dry-run mode");
        }
        long missing = draft.remarks().stream()
                .filter(remark -> remark.kind() == Remark.Kind.NOT_IMPORTED)
                .count();
        if (missing > 0) {
            counts.add(missing + " not imported");
        }
        err.println(String.join(", ", counts));
        err.flush();
    }
}
