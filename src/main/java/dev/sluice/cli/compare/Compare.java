package dev.sluice.cli.compare;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.config.shape.Durations;
import dev.sluice.tier.Limit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays the same traffic to all algorithms, in virtual time, and says how each of them did. */
@Command(
        name = "compare",
        description = {
            "Plays the same traffic to every algorithm and compares each with a perfect sliding window.",
            "The limiter is the one that services run. Time is virtual: an hour of traffic takes a moment."
        },
        footer = {
            "",
            "For example:",
            "  sluice compare --limit 100 --period 60s --traffic edge --html page.html",
            "",
            "Exit code: 0; 1 if the traffic cannot be read or a file cannot be written; 2 for wrong usage."
        })
public final class Compare implements Runnable {

    private static final Duration LEAST_PERIOD = Duration.ofMillis(100);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            description = "Calls in a period, from 1 to 100000; default: 100.")
    private long limit = 100;

    @Option(
            names = "--period",
            paramLabel = "DURATION",
            description = "A duration, such as 60s, 5m or 1h; default: 60s.")
    private String period = "60s";

    @Option(
            names = "--traffic",
            paramLabel = "WHAT",
            description =
                    "random, bursty, edge, or a file with the time of a call in each line, in milliseconds since 1970 "
                            + "or as an ISO timestamp; - for standard input; default: random.")
    private String traffic = "random";

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            description = "Another number makes other random traffic; default: 1.")
    private long seed = 1;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes the table and the charts to this file.")
    private @Nullable Path html;

    @Option(names = "--svg", paramLabel = "DIRECTORY", description = "Writes each chart to a file in this directory.")
    private @Nullable Path svg;

    Compare() {}

    @Override
    public void run() {
        Duration length = period();
        if (limit < 1 || limit > Limit.SlidingLog.MAX_LOGGED) {
            throw usage(
                    "--limit " + limit + " is out of range; write a number from 1 to " + Limit.SlidingLog.MAX_LOGGED);
        }
        Comparison comparison = Comparison.of(limit, length, traffic(length));
        print(comparison, spec.commandLine().getOut());
        if (html != null) {
            write(html, ComparisonPage.of(comparison));
        }
        if (svg != null) {
            for (Chart chart : comparison.charts()) {
                write(svg.resolve(chart.name() + ".svg"), chart.standalone());
            }
        }
    }

    private Duration period() {
        Duration length = Durations.parse(period);
        if (length == null) {
            throw usage("--period " + period + " is not a duration; write " + Durations.guess(period));
        }
        if (length.compareTo(LEAST_PERIOD) < 0
                || length.compareTo(Limit.MAX_PERIOD) > 0
                || length.toMillis() % 4 != 0) {
            throw usage("--period " + period
                    + " is out of range; write a duration from 100ms to 366d, in multiples of 4ms");
        }
        return length;
    }

    private Traffic traffic(Duration length) {
        return Arrays.stream(Traffic.Kind.values())
                .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(traffic))
                .findFirst()
                .map(kind -> Traffic.of(kind, limit, length, seed))
                .orElseGet(() -> TrafficFile.read(traffic));
    }

    private ParameterException usage(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static void write(Path file, String content) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be written: " + e, e);
        }
    }

    private static void print(Comparison comparison, PrintWriter out) {
        out.println(comparison.title());
        out.println();
        List<List<String>> lines = new ArrayList<>(comparison.cells());
        lines.add(0, comparison.columns());
        int[] widths = new int[comparison.columns().size()];
        lines.forEach(line -> Arrays.setAll(
                widths, column -> Math.max(widths[column], line.get(column).length())));
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String pad = " ".repeat(widths[column] - line.get(column).length());
                text.append(column == 0 ? line.get(column) + pad : "  " + pad + line.get(column));
            }
            out.println(text);
        }
        out.println();
        for (int i = 0; i < comparison.legend().size(); i++) {
            out.println("%-9s  %s"
                    .formatted(
                            comparison.columns().get(i + 1), comparison.legend().get(i)));
        }
    }
}
