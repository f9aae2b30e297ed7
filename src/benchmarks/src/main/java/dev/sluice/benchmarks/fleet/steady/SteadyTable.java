package dev.sluice.benchmarks.fleet.steady;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Prints the outcomes as a table and as CSV. */
final class SteadyTable {

    private static final List<String> COLUMNS = List.of(
            "contestant",
            "instances",
            "calls_per_second",
            "shape",
            "timed",
            "added_p50_us",
            "added_p95_us",
            "added_p99_us",
            "added_p999_us",
            "added_max_us",
            "since_due_p50_us",
            "since_due_p99_us",
            "since_due_p999_us",
            "waited_percent",
            "redis_commands_per_second",
            "redis_cpu_ms_per_second",
            "round_trips_per_instance_and_second",
            "redis_sent_kilobytes_per_second",
            "over_mean_percent",
            "over_max_percent",
            "under_mean_percent",
            "under_max_percent",
            "calls_beyond_limit",
            "calls_refused_early",
            "calls_refused_under_limit",
            "tenant_windows",
            "dropped_percent",
            "commands");

    private SteadyTable() {}

    static void print(List<SteadyOutcome> outcomes) {
        Scenario scenario = null;
        for (SteadyOutcome outcome : outcomes) {
            if (!outcome.scenario().equals(scenario)) {
                scenario = outcome.scenario();
                System.out.printf(Locale.ROOT, "%n%s (%.1f times the limit)%n", scenario.title(), scenario.times());
                System.out.printf(
                        "%-22s %-41s %-16s %-32s %-13s %-13s %s%n",
                        "",
                        "added, µs",
                        "since due, µs",
                        "Redis, a second",
                        "over, %",
                        "under, %",
                        "beyond doubt, calls");
                System.out.printf(
                        "%-22s %7s%7s%8s%8s%10s  %7s%8s  %9s%7s%7s%8s  %6s%6s  %6s%6s  %6s%8s%8s  %s%n",
                        "",
                        "p50",
                        "p95",
                        "p99",
                        "p99.9",
                        "waits, %",
                        "p50",
                        "p99.9",
                        "commands",
                        "CPU ms",
                        "trips",
                        "kB",
                        "mean",
                        "max",
                        "mean",
                        "max",
                        "over",
                        "early",
                        "refused",
                        "dropped, %");
            }
            System.out.println(line(outcome));
        }
    }

    private static String line(SteadyOutcome o) {
        String times = o.timed()
                ? String.format(
                        Locale.ROOT,
                        "%7.1f%7.1f%8.1f%8.1f%10.3f  %7.0f%8.0f",
                        o.added().p50(),
                        o.added().p95(),
                        o.added().p99(),
                        o.added().p999(),
                        o.waits().percent(),
                        o.sinceDue().p50(),
                        o.sinceDue().p999())
                : " ".repeat(57);
        return String.format(
                Locale.ROOT,
                "%-22s %s  %9.1f%7.2f%7.1f%8.1f  %6.2f%6.1f  %6.2f%6.1f  %6d%8d%8d  %9.1f",
                o.contestant(),
                times,
                o.commands(),
                o.cpuMillis(),
                o.roundTrips(),
                o.sentKilobytes(),
                o.windows().meanOver(),
                o.windows().maxOver(),
                o.windows().meanUnder(),
                o.windows().maxUnder(),
                o.windows().beyond(),
                o.windows().early(),
                o.windows().refusedUnderLimit(),
                o.dropped());
    }

    static void write(List<SteadyOutcome> outcomes, Path file) {
        List<String> lines = new ArrayList<>(List.of(String.join(",", COLUMNS)));
        for (SteadyOutcome outcome : outcomes) {
            lines.add(String.join(
                    ",", cells(outcome).stream().map(Objects::toString).toList()));
        }
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Object> cells(SteadyOutcome o) {
        return List.of(
                '"' + o.contestant() + '"',
                o.scenario().instances(),
                o.scenario().callsPerSecond(),
                o.scenario().shape(),
                o.timed(),
                o.added().p50(),
                o.added().p95(),
                o.added().p99(),
                o.added().p999(),
                o.added().max(),
                o.sinceDue().p50(),
                o.sinceDue().p99(),
                o.sinceDue().p999(),
                o.waits().percent(),
                o.commands(),
                o.cpuMillis(),
                o.roundTrips(),
                o.sentKilobytes(),
                o.windows().meanOver(),
                o.windows().maxOver(),
                o.windows().meanUnder(),
                o.windows().maxUnder(),
                o.windows().beyond(),
                o.windows().early(),
                o.windows().refusedUnderLimit(),
                o.windows().count(),
                o.dropped(),
                '"' + o.usage().runs().toString() + '"');
    }
}
