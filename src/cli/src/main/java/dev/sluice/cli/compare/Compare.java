package dev.sluice.cli.compare;

import dev.sluice.cli.command.OutputFile;
import dev.sluice.cli.output.Columns;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.tier.Limit;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays the same traffic to all algorithms in virtual time, and compares the results. */
@Command(
        name = "compare",
        description = {
            "Plays the same traffic to every algorithm and compares each with a perfect sliding window.",
            "Services run the same limiter. Time is virtual, so an hour of traffic takes only a moment."
        },
        footer = {
            "",
            "For example:",
            "  sluice compare --limit 100 --period 60s --traffic edge --html page.html",
            "  sluice compare --limit 300 --burst 50 --log access.log",
            "",
            "Exit code: 0 for success; 1 if the traffic cannot be read or a file cannot be written; 2 for wrong usage."
        })
public final class Compare implements Runnable {

    private static final Duration LEAST_PERIOD = Duration.ofMillis(100);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            description = "The number of calls that can pass in a period, from 1 to 100000; default: 100.")
    private long limit = 100;

    @Option(
            names = "--period",
            paramLabel = "DURATION",
            description = "The period, such as 60s, 5m or 1h; default: 60s.")
    private String period = "60s";

    @Option(
            names = "--traffic",
            paramLabel = "WHAT",
            description =
                    "The traffic: random, bursty, edge, or a file with the time of one call per line, in milliseconds "
                            + "since 1970 or as an ISO timestamp; - for standard input; default: random.")
    private String traffic = "random";

    @Option(
            names = "--burst",
            paramLabel = "NUMBER",
            description = "The capacity of the token bucket, in calls; default: a tenth of the limit.")
    private @Nullable Long burst;

    @Option(
            names = "--log",
            paramLabel = "LOG",
            description =
                    "Plays the calls in this access log instead of --traffic. Each caller has its own " + "limit.")
    private @Nullable String log;

    @Option(
            names = "--by",
            paramLabel = "WHO",
            description = "What identifies a caller in the log: ip, principal or header:NAME; default: ip.")
    private String by = "ip";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "The format of the log, as for rehearse; default: detected.")
    private @Nullable String format;

    @Option(names = "--seed", paramLabel = "NUMBER", description = "The seed of generated traffic; default: 1.")
    private long seed = 1;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes the table and the charts to this file.")
    private @Nullable Path html;

    @Option(names = "--force", description = "Replaces the --html file if it exists.")
    private boolean force;

    @Option(names = "--svg", paramLabel = "DIRECTORY", description = "Writes each chart to a file in this directory.")
    private @Nullable Path svg;

    /**
     * Measures the memory that counters occupy. Tests replace it, because a measurement takes seconds, and the result
     * depends on the machine.
     */
    CounterMemory.Meter memory = CounterMemory::bytes;

    Compare() {}

    @Override
    public void run() {
        Duration length = period();
        if (limit < 1 || limit > Limit.SlidingLog.MAX_LOGGED) {
            throw usage(
                    "--limit " + limit + " is out of range; write a number from 1 to " + Limit.SlidingLog.MAX_LOGGED);
        }
        if (html != null) {
            // The comparison can take a minute, so we check beforehand that its result can be written.
            OutputFile.requireNew(html, force);
        }
        Comparison comparison = Comparison.of(limit, length, burst(length), traffic(length), memory);
        print(comparison, spec.commandLine().getOut());
        if (html != null) {
            OutputFile.write(html, ComparisonPage.of(comparison));
        }
        if (svg != null) {
            for (Chart chart : comparison.charts()) {
                OutputFile.write(svg.resolve(chart.name() + ".svg"), chart.standalone());
            }
        }
    }

    private Duration period() {
        Duration length = Durations.parse(period);
        if (length == null) {
            throw usage("--period " + period + " is not a duration; write " + Durations.guess(period));
        }
        // One of the algorithms divides the period into four sub-windows of whole milliseconds.
        if (length.compareTo(LEAST_PERIOD) < 0
                || length.compareTo(Limit.MAX_PERIOD) > 0
                || length.toMillis() % 4 != 0) {
            throw usage("--period " + period
                    + " is out of range; write a duration from 100ms to 366d, in multiples of 4ms");
        }
        return length;
    }

    private long burst(Duration length) {
        long most = Limit.mostHeld(limit, length);
        if (burst != null && (burst < 1 || burst > most)) {
            throw usage("--burst " + burst + " is out of range; write a number from 1 to " + most);
        }
        return burst == null ? Math.max(1, limit / 10) : burst;
    }

    private SampleTraffic traffic(Duration length) {
        if (log != null) {
            try {
                return TrafficLog.read(log, format, by);
            } catch (IllegalArgumentException e) {
                throw usage(String.valueOf(e.getMessage()));
            }
        }
        return Arrays.stream(SampleTraffic.Kind.values())
                .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(traffic))
                .findFirst()
                .map(kind -> SampleTraffic.of(kind, limit, length, seed))
                // Any other word is treated as a file name.
                .orElseGet(() -> TrafficFile.read(traffic));
    }

    private ParameterException usage(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static void print(Comparison comparison, PrintWriter out) {
        out.println(comparison.title());
        out.println();
        Columns columns = new Columns();
        columns.row(comparison.columns());
        comparison.cells().forEach(columns::row);
        columns.lines(0).forEach(out::println);
        out.println();
        for (int i = 0; i < comparison.legend().size(); i++) {
            out.println("%-9s  %s"
                    .formatted(
                            comparison.columns().get(i + 1), comparison.legend().get(i)));
        }
    }
}
