package dev.sluice.cli.rehearse;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.OutputFile;
import dev.sluice.cli.command.StandardOutput;
import dev.sluice.internal.text.SafeText;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the format and the destination of the report. */
final class ReportOptions {

    private static final String STANDARD_OUTPUT = "-";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--html",
            arity = "0..1",
            fallbackValue = STANDARD_OUTPUT,
            paramLabel = "FILE",
            description = "Writes the report as a self-contained HTML page with charts; without FILE to standard "
                    + "output, instead of text.")
    private @Nullable String html;

    @Option(
            names = "--json",
            arity = "0..1",
            fallbackValue = STANDARD_OUTPUT,
            paramLabel = "FILE",
            description = "Writes the report as JSON; without FILE to standard output, instead of text.")
    private @Nullable String json;

    @Option(
            names = "--suggest",
            arity = "0..1",
            fallbackValue = STANDARD_OUTPUT,
            paramLabel = "FILE",
            description =
                    "Writes limits that fit the logs: the rehearsed file with other thresholds or, if there is no such "
                            + "file, a new one. The logs are read several times. Without FILE to standard output, "
                            + "instead of text.")
    private @Nullable String suggestion;

    @Option(names = "--force", description = "Replaces the --html, --json and --suggest files if they exist.")
    private boolean force;

    ReportOptions() {}

    /** Checks the output file names before the logs are read. */
    void check() {
        requireEnding("--html", html, ".html");
        requireEnding("--json", json, ".json");
        requireEnding("--suggest", suggestion, ".yml");
        if (Stream.of(html, json, suggestion).filter(STANDARD_OUTPUT::equals).count() > 1) {
            throw new ParameterException(
                    command.commandLine(),
                    "only one of --html, --json and --suggest can go to standard output; name files for the others");
        }
        Stream.of(html, json, suggestion)
                .filter(file -> file != null && !file.equals(STANDARD_OUTPUT))
                .forEach(file -> OutputFile.requireNew(path(file), force));
    }

    /**
     * Protects logs from being overwritten. A user who writes {@code --json access.log} probably does not want to
     * overwrite the log.
     */
    private void requireEnding(String option, @Nullable String file, String ending) {
        if (file != null && !file.equals(STANDARD_OUTPUT) && !file.endsWith(ending)) {
            throw new ParameterException(
                    command.commandLine(),
                    option + " " + file + " does not end in " + ending + "; write " + option + " report" + ending
                            + ", or " + option + " as the last argument for standard output");
        }
    }

    /**
     * Ends the command if the user requests a report but specifies no limits file, because there would be nothing to
     * report.
     */
    void requireNoReport() {
        ArgumentChecks.require(
                command.commandLine(),
                html == null && json == null,
                "--html and --json report on a limits FILE; name one, such as a suggested one");
    }

    /** Writes the report. If there is no limits file, the report only describes what was read from the logs. */
    void write(RehearsalReport report, boolean hasFile) {
        PrintWriter out = command.commandLine().getOut();
        // If JSON or HTML goes to standard output, text would corrupt it. In that case, only problems are printed, and
        // they go to standard error.
        boolean isOutTaken = Stream.of(html, json, suggestion).anyMatch(STANDARD_OUTPUT::equals);
        if (html != null) {
            write(html, HtmlReport.of(report));
        }
        if (json != null) {
            write(json, JsonReport.of(report));
        }
        if (isOutTaken) {
            report.lines()
                    .broken()
                    .forEach(sentence -> command.commandLine().getErr().println(SafeText.of(sentence)));
        } else {
            (hasFile ? TextReport.of(report) : TextReport.ofLogs(report)).forEach(out::println);
        }
        out.flush();
    }

    boolean asksForSuggestion() {
        return suggestion != null;
    }

    /** Writes the suggested limits. */
    void writeSuggestion(String yaml) {
        if (suggestion != null) {
            write(suggestion, yaml);
        }
    }

    private void write(String file, String content) {
        if (file.equals(STANDARD_OUTPUT)) {
            StandardOutput.printFile(command.commandLine(), content);
            return;
        }
        OutputFile.write(path(file), content);
        command.commandLine().getErr().println("Written to " + SafeText.of(file));
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new CommandFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
