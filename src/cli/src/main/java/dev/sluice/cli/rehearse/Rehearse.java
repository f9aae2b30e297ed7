package dev.sluice.cli.rehearse;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.JvmShutdown;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.ProblemList;
import dev.sluice.cli.rehearse.log.LogSummary;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.cli.rehearse.play.ComparedFile;
import dev.sluice.cli.rehearse.play.Rehearsal;
import dev.sluice.cli.rehearse.suggest.Suggester;
import dev.sluice.cli.rehearse.tally.Percentages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays access logs to the limits in a file, and reports who would have been refused. */
@Command(
        name = "rehearse",
        description = {
            "Plays access logs to the limits in a file, and reports who would have been refused.",
            "Services run the same limiter. Time is virtual, so a day of traffic takes only seconds."
        },
        footer = {
            "",
            "For example:",
            "  sluice rehearse rate-limits.yml access.log.1.gz access.log --html report.html",
            "",
            "Exit code: 0 for success; 1 if a file or a log cannot be used, or no call was played; 2 for wrong usage; "
                    + "7 if more calls are refused than --fail-if-refused allows."
        })
public final class Rehearse implements Callable<Integer> {

    /** The maximum time for which the JVM waits for the report after Ctrl+C. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "The limits file, *.yml or *.yaml; optional with --suggest.")
    private String file = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "LOG",
            description = "Access logs, plain or compressed with gzip, in any order; - for standard input.")
    private List<String> logs = List.of();

    /**
     * Whether the command line specifies no limits file. In that case, all names are names of logs, and the command
     * suggests limits for these logs.
     */
    private boolean isWithoutFile;

    @Mixin
    private LogOptions logOptions = new LogOptions();

    @Mixin
    private ReportOptions reportOptions = new ReportOptions();

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    @Option(
            names = "--fail-if-refused",
            paramLabel = "SHARE",
            description =
                    "Ends with exit code 7 if a larger fraction of the calls is refused, for example 0.1%%; with 1 if "
                            + "most lines cannot be read.")
    private @Nullable String mostRefused;

    @Option(
            names = "--compare",
            paramLabel = "OTHER",
            description = "A second limits file. Reports the clients whose calls only one of the two files refuses.")
    private @Nullable String compared;

    /** Whether Ctrl+C has stopped reading. If so, the report covers only the lines that had been read by then. */
    private volatile boolean isInterrupted;

    Rehearse() {}

    @Override
    public Integer call() {
        double most = mostRefused();
        reportOptions.check();
        takeNames();
        if (reportOptions.asksForSuggestion() && logs.contains("-")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--suggest reads the logs several times, but standard input can be read only once");
        }
        RehearsedFile read =
                isWithoutFile ? RehearsedFile.none(resolvers.names()) : RehearsedFile.read(file, resolvers.names());
        new ProblemList(read.file().warnings()).printEach(spec.commandLine().getErr());
        @Nullable RehearsalReport report = null;
        JvmShutdown end = new JvmShutdown(LONGEST_END, () -> isInterrupted = true);
        try (end) {
            // We write the report first, because a suggestion reads the logs again and might need more memory than is
            // available.
            report = report(read);
            reportOptions.write(report, !isWithoutFile);
            requirePlayed(report);
            if (reportOptions.asksForSuggestion()) {
                reportOptions.writeSuggestion(suggestion(read, report));
            }
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(
                    "the logs contain too many callers for "
                            + (Runtime.getRuntime().maxMemory() >> 20)
                            + " MB of memory; allow more, such as java -Xmx2g -jar sluice-cli.jar, or "
                            + (report == null ? "split the logs" : "omit --suggest to get only the report"),
                    e);
        }
        // The report has been written, but scripts must not mistake it for a report on the complete logs.
        if (!report.lines().broken().isEmpty()) {
            return ExitCodes.FAILED;
        }
        return report.share() > most ? ExitCodes.TOO_MANY_REFUSED : ExitCode.OK;
    }

    /**
     * Assigns the command-line names to the limits file and the logs. If there is no limits file, the first name is
     * also the name of a log.
     */
    private void takeNames() {
        isWithoutFile = reportOptions.asksForSuggestion() && !isYaml(file);
        if (isWithoutFile) {
            logs = Stream.concat(Stream.of(file), logs.stream()).toList();
            reportOptions.requireNoReport();
        }
        logs.stream().filter(log -> isYaml(log) && !isYaml(file)).findFirst().ifPresent(limits -> {
            throw new ParameterException(
                    spec.commandLine(), "FILE comes before LOG; write: sluice rehearse " + limits + " " + file);
        });
        ArgumentChecks.require(
                spec.commandLine(),
                !logs.isEmpty(),
                "Missing required parameter: 'LOG'; name an access log, or - for " + "standard input");
    }

    private static boolean isYaml(String name) {
        return name.endsWith(".yml") || name.endsWith(".yaml");
    }

    private double mostRefused() {
        // Without the option, any fraction of the calls can be refused.
        double most = mostRefused == null ? 1 : Percentages.parse(mostRefused);
        if (most < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--fail-if-refused " + mostRefused + " is not a fraction of calls; write 0.1%");
        }
        return most;
    }

    private RehearsalReport report(RehearsedFile read) {
        RehearsedFile second = compared == null ? null : RehearsedFile.read(compared, resolvers.names());
        ComparedFile other =
                second == null ? null : new ComparedFile(second.file().name(), second.limits());
        try (Logs opened = logOptions.open(logs, read.limits(), resolvers.names());
                Rehearsal rehearsal = new Rehearsal(read.limits(), other)) {
            Progress progress = new Progress(opened, spec.commandLine().getErr(), Ansi.AUTO.enabled());
            opened.play(rehearsal, () -> {
                progress.step();
                return isInterrupted;
            });
            progress.end();
            rehearsal.finish();
            requireCalls(opened.summary());
            return RehearsalReport.of(read.file().name(), isInterrupted, opened.summary(), rehearsal);
        }
    }

    private String suggestion(RehearsedFile read, RehearsalReport report) {
        String title = "# Suggested by sluice rehearse, from " + CountText.of(report.calls(), "call") + " between "
                + report.from() + " and " + report.to()
                + ".\n# Thresholds are 1.5 times the demand of typical callers. Review them; "
                + (isWithoutFile
                        ? "each is a dry run until you remove its mode.\n"
                        : "to try new thresholds first, add mode: dry-run.\n");
        Suggester suggester = new Suggester(
                () -> logOptions.open(logs, read.limits(), resolvers.names()),
                read.limits(),
                title,
                yaml -> RehearsedFile.parse(yaml, resolvers.names()));
        return isWithoutFile ? suggester.invented() : suggester.fitted(read.text());
    }

    /**
     * Ends the command if no calls, or hardly any, were played. Otherwise, the report would suggest that the limits
     * refuse nobody.
     */
    private void requirePlayed(RehearsalReport report) {
        LogSummary read = report.lines();
        String unreadable = read.unreadable() + " of " + CountText.of(read.read(), "line") + " could not be read";
        if (report.calls() == 0 && read.broken().isEmpty()) {
            String why = read.outside() > read.unreadable()
                    ? CountText.of(read.outside(), "call") + " outside the path of --cut; check that path"
                    : read.unreadable() > 0 ? unreadable + "; check --format" : "no line in the log contains a request";
            throw new CommandFailure("no call was played: " + why);
        }
        if (mostRefused != null && 2 * read.unreadable() > read.read()) {
            throw new CommandFailure(unreadable + ", too many to check --fail-if-refused; check --format");
        }
    }

    private static void requireCalls(LogSummary summary) {
        if (summary.read() == 0) {
            throw new CommandFailure("the log is empty; "
                    + (summary.broken().isEmpty()
                            ? "name a log that contains lines"
                            : summary.broken().get(0)));
        }
    }
}
