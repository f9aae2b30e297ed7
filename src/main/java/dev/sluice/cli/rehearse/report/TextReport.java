package dev.sluice.cli.rehearse.report;

import dev.sluice.cli.text.Columns;
import dev.sluice.cli.text.CountText;
import dev.sluice.cli.text.TimeText;
import dev.sluice.config.shape.Durations;
import dev.sluice.text.Visible;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A report for people, as lines for a terminal: no name in it can do harm there. */
public final class TextReport {

    private static final int MOST_SHOWN = 10;
    private static final int LONGEST_NAME = 44;

    private final List<String> lines = new ArrayList<>();

    private TextReport() {}

    public static List<String> of(Report report) {
        TextReport text = new TextReport();
        text.head(report);
        report.definitions().forEach(text::definition);
        Report.Comparison comparison = report.comparison();
        if (comparison != null) {
            text.comparison(report, comparison);
        }
        Report.Fleet fleet = report.instances();
        if (fleet != null) {
            text.fleet(fleet);
        }
        return text.lines;
    }

    private void head(Report report) {
        Report.Lines read = report.lines();
        lines.add((report.interrupted() ? "Stopped before the end. " : "") + Visible.of(report.file()) + " on "
                + read.logs().stream().map(Visible::of).limit(3).collect(Collectors.joining(", "))
                + (read.logs().size() > 3 ? " and " + (read.logs().size() - 3) + " more" : ""));
        if (report.from() != null && report.to() != null) {
            Duration span = Duration.between(Instant.parse(report.from()), Instant.parse(report.to()));
            lines.add(CountText.of(report.calls(), "call") + " from " + report.from() + " to " + report.to() + " ("
                    + TimeText.span(span.toMillis()) + "), " + CountText.of(read.read(), "line"));
        }
        lines.add(report.refused() + " refused, " + Percentages.text(report.share()) + "; "
                + CountText.of(report.unlimited(), "call") + " without a limit");
        said(read.unreadable(), "line could not be read:", "lines could not be read:");
        read.firstUnreadable().forEach(line -> lines.add("  " + Visible.of(line)));
        said(read.withoutRequest(), "line tells of no request", "lines tell of no request");
        said(
                read.late(),
                "line came over five minutes late, and is left out",
                "lines came over five minutes late, and are left out");
        said(
                read.outside(),
                "call was not for the path cut, and is left out",
                "calls were not for the path cut, and are left out");
        read.broken().forEach(sentence -> lines.add(Visible.of(sentence)));
        if (!report.notPlayed().isEmpty()) {
            lines.add("not played:");
            report.notPlayed().forEach(sentence -> lines.add("  " + Visible.of(sentence)));
        }
    }

    private void said(long number, String one, String several) {
        if (number > 0) {
            lines.add(number + " " + (number == 1 ? one : several));
        }
    }

    private void definition(Report.Definition definition) {
        lines.add("");
        String methods = definition.methods().isEmpty() ? "any method" : String.join(", ", definition.methods());
        lines.add(definition.id() + ": " + methods + " " + Visible.of(definition.pathPattern())
                + (definition.mode().equals("enforce") ? "" : " (" + definition.mode() + ")"));
        if (definition.calls() == 0) {
            lines.add("  no call");
            return;
        }
        lines.add(
                "  " + CountText.of(definition.calls(), "call") + " of " + CountText.of(definition.clients(), "client")
                        + "; " + definition.refused() + " refused, " + Percentages.text(definition.share()) + ", of "
                        + CountText.of(definition.refusedClients(), "client")
                        + (definition.exempt() == 0 ? "" : "; " + definition.exempt() + " exempt")
                        + (definition.refusedElsewhere() == 0
                                ? ""
                                : "; " + definition.refusedElsewhere() + " refused by other endpoints"));
        tiers(definition);
        clients(definition);
        definition.windows().forEach(this::windows);
        algorithms(definition);
    }

    private void tiers(Report.Definition definition) {
        Columns columns = new Columns();
        for (Report.Tier tier : definition.tiers()) {
            columns.row(
                    "tier " + tier.name(),
                    tier.algorithm(),
                    "threshold " + tier.threshold(),
                    tier.refused() + " refused",
                    Percentages.text(tier.share()),
                    CountText.of(tier.refusedClients(), "client"));
        }
        lines.addAll(columns.lines(2));
    }

    private void clients(Report.Definition definition) {
        if (definition.mostRefused().isEmpty()) {
            return;
        }
        lines.add("  refused most:");
        Columns columns = new Columns();
        columns.row("client", "refused", "of calls", "for", "most at once", "of the limit", "first", "last");
        definition.mostRefused().stream()
                .limit(MOST_SHOWN)
                .forEach(client -> columns.row(
                        Visible.cut(client.name(), LONGEST_NAME),
                        String.valueOf(client.refused()),
                        String.valueOf(client.calls()),
                        TimeText.span(client.forMillis()),
                        mostAtOnce(client, definition),
                        client.peak() == 0 ? "-" : client.timesThreshold() + " times",
                        client.first(),
                        client.last()));
        lines.addAll(columns.lines(4));
        int more = definition.refusedClients()
                - Math.min(MOST_SHOWN, definition.mostRefused().size());
        if (more > 0) {
            lines.add("    and " + CountText.of(more, "more client"));
        }
    }

    private static String mostAtOnce(Report.Client client, Report.Definition definition) {
        long period = definition.tiers().stream()
                .filter(tier -> tier.name().equals(client.tier()))
                .mapToLong(Report.Tier::periodMillis)
                .findAny()
                .orElse(0);
        return client.peak() == 0 || period == 0
                ? "-"
                : client.peak() + " in " + Durations.shortest(Duration.ofMillis(period));
    }

    private void windows(Report.Windows windows) {
        String period = Durations.shortest(Duration.ofMillis(windows.periodMillis()));
        lines.add("  asked for by a client in " + period + ": half at most " + windows.p50() + ", 90% " + windows.p90()
                + ", 99% " + windows.p99() + ", 99.9% " + windows.p999() + ", the most " + windows.max());
        lines.add("  thresholds for " + period + " that refuse at most: "
                + windows.thresholds().stream()
                        .map(one -> one.aim() + " " + one.threshold())
                        .collect(Collectors.joining(", ")));
    }

    private void algorithms(Report.Definition definition) {
        if (definition.algorithms().isEmpty()) {
            return;
        }
        lines.add("  with the same thresholds:");
        Columns columns = new Columns();
        for (Report.Algorithm algorithm : definition.algorithms()) {
            columns.row(
                    algorithm.name(),
                    algorithm.refused() + " refused",
                    Percentages.text(algorithm.share()),
                    CountText.of(algorithm.refusedClients(), "client"));
        }
        lines.addAll(columns.lines(4));
    }

    private void comparison(Report report, Report.Comparison comparison) {
        lines.add("");
        lines.add("Compared with " + Visible.of(comparison.other()) + ": " + comparison.refusedByBoth()
                + " refused by both, " + comparison.onlyFirst() + " by " + Visible.of(report.file()) + " alone, "
                + comparison.onlySecond() + " by " + Visible.of(comparison.other()) + " alone");
        differences("refused by " + report.file() + " alone:", comparison.refusedByFirst());
        differences("refused by " + comparison.other() + " alone:", comparison.refusedBySecond());
    }

    private void differences(String title, List<Report.Difference> differences) {
        if (differences.isEmpty()) {
            return;
        }
        lines.add("  " + Visible.of(title));
        Columns columns = new Columns();
        differences.stream()
                .limit(MOST_SHOWN)
                .forEach(one -> columns.row(
                        Visible.cut(one.client(), LONGEST_NAME), one.definition(), CountText.of(one.calls(), "call")));
        lines.addAll(columns.lines(4));
    }

    private void fleet(Report.Fleet fleet) {
        lines.add("");
        lines.add(fleet.instances() + " instances, calls dealt " + fleet.deal() + ": " + fleet.refused() + " refused; "
                + fleet.over() + " admitted beyond the limits, " + fleet.early() + " refused too early, "
                + CountText.of(fleet.waits(), "call") + " waited for the store");
    }
}
