package dev.sluice.cli.rehearse;

import dev.sluice.cli.output.Columns;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.TimeText;
import dev.sluice.cli.rehearse.log.LogSummary;
import dev.sluice.cli.rehearse.play.ComparedFile;
import dev.sluice.cli.rehearse.play.ComparedFile.Difference;
import dev.sluice.cli.rehearse.tally.EndpointReport;
import dev.sluice.cli.rehearse.tally.Percentages;
import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A report as lines for a terminal, in which names are harmless. */
final class TextReport {

    private static final int MOST_SHOWN = 10;
    private static final int LONGEST_NAME = 44;

    private final List<String> lines = new ArrayList<>();

    private TextReport() {}

    static List<String> of(RehearsalReport report) {
        TextReport text = new TextReport();
        text.summary(report);
        report.endpoints().forEach(text::endpoint);
        ComparedFile.Result comparison = report.comparison();
        if (comparison != null) {
            text.comparison(report, comparison);
        }
        return text.lines;
    }

    /** What was read of the logs, for a report without a file of limits. */
    static List<String> ofLogs(RehearsalReport report) {
        TextReport text = new TextReport();
        text.logs("", report);
        text.unread(report.lines());
        return text.lines;
    }

    private void summary(RehearsalReport report) {
        logs(SafeText.of(report.file()) + " on ", report);
        lines.add(report.refused() + " refused, " + Percentages.text(report.share()) + "; "
                + CountText.of(report.unlimited(), "call") + " without a limit");
        unread(report.lines());
        if (!report.notPlayed().isEmpty()) {
            lines.add("played differently than by a service:");
            report.notPlayed().forEach(sentence -> lines.add("  " + SafeText.of(sentence)));
        }
    }

    private void logs(String what, RehearsalReport report) {
        LogSummary read = report.lines();
        lines.add((report.interrupted() ? "Stopped before the end: " : "")
                + what
                + read.logs().stream().map(SafeText::of).limit(3).collect(Collectors.joining(", "))
                + (read.logs().size() > 3 ? " and " + (read.logs().size() - 3) + " more" : ""));
        if (report.from() != null && report.to() != null) {
            Duration span = Duration.between(Instant.parse(report.from()), Instant.parse(report.to()));
            lines.add(CountText.of(report.calls(), "call") + " from " + report.from() + " to " + report.to() + " ("
                    + TimeText.span(span.toMillis()) + "), " + CountText.of(read.read(), "line"));
        }
    }

    private void unread(LogSummary read) {
        count(read.unreadable(), "line", "could not be read:");
        read.firstUnreadable().forEach(line -> lines.add("  " + SafeText.of(line)));
        count(read.withoutRequest(), "line", "without a request");
        count(read.late(), "line", "skipped, more than five minutes late");
        String whose = read.ahead() == 1 ? "its" : "their";
        count(read.ahead(), "line", "skipped, more than a day ahead of " + whose + " neighbours");
        count(read.outside(), "call", "skipped, outside of the path of --cut");
        read.broken().forEach(sentence -> lines.add(SafeText.of(sentence)));
    }

    private void count(long number, String thing, String what) {
        if (number > 0) {
            lines.add(CountText.of(number, thing) + " " + what);
        }
    }

    private void endpoint(EndpointReport endpoint) {
        lines.add("");
        String methods = endpoint.methods().isEmpty() ? "any method" : String.join(", ", endpoint.methods());
        lines.add(endpoint.id() + ": " + methods + " " + SafeText.of(endpoint.paths())
                + (endpoint.mode().equals("enforce") ? "" : " (" + endpoint.mode() + ")"));
        if (endpoint.calls().all() == 0) {
            lines.add("  no calls");
            return;
        }
        lines.add("  " + CountText.of(endpoint.calls().all(), "call") + " from "
                + CountText.of(endpoint.clients().all(), "client")
                + "; " + endpoint.calls().refused() + " refused, "
                + Percentages.text(endpoint.calls().share()) + ", from "
                + CountText.of(endpoint.clients().refused(), "client")
                + (endpoint.blocks() == 0
                        ? ""
                        : "; " + CountText.of(endpoint.blocks(), "block") + " for "
                                + CountText.of(endpoint.clients().blocked(), "client"))
                + (endpoint.calls().exempt() == 0 ? "" : "; " + endpoint.calls().exempt() + " exempt")
                + (endpoint.calls().refusedElsewhere() == 0
                        ? ""
                        : "; " + endpoint.calls().refusedElsewhere() + " refused by other endpoints"));
        tiers(endpoint);
        clients(endpoint);
        blocked(endpoint);
        endpoint.windows().forEach(this::windows);
    }

    private void tiers(EndpointReport endpoint) {
        Columns columns = new Columns();
        for (EndpointReport.Tier tier : endpoint.tiers()) {
            columns.row(
                    "tier " + tier.name() + ": " + tier.text(),
                    tier.refused() + " refused",
                    Percentages.text(tier.share()),
                    CountText.of(tier.refusedClients(), "client"));
        }
        lines.addAll(columns.lines(2));
    }

    private void clients(EndpointReport endpoint) {
        if (endpoint.clients().mostRefused().isEmpty()) {
            return;
        }
        lines.add("  refused most:");
        Columns columns = new Columns();
        columns.row("client", "refused", "calls", "for", "peak", "of the limit", "first", "last");
        endpoint.clients().mostRefused().stream()
                .limit(MOST_SHOWN)
                .forEach(client -> columns.row(
                        SafeText.cut(client.name(), LONGEST_NAME),
                        String.valueOf(client.refused()),
                        String.valueOf(client.calls()),
                        TimeText.span(client.forMillis()),
                        peak(client, endpoint),
                        client.peak() == 0 ? "-" : client.timesThreshold() + "x",
                        client.first(),
                        client.last()));
        lines.addAll(columns.lines(4));
        more(endpoint.clients().refused(), endpoint.clients().mostRefused().size());
    }

    private void blocked(EndpointReport endpoint) {
        if (endpoint.clients().mostBlocked().isEmpty()) {
            return;
        }
        lines.add("  blocked longest:");
        Columns columns = new Columns();
        columns.row("client", "tier", "blocks", "for", "since", "until");
        endpoint.clients().mostBlocked().stream()
                .limit(MOST_SHOWN)
                .forEach(client -> columns.row(
                        SafeText.cut(client.name(), LONGEST_NAME),
                        client.tier(),
                        String.valueOf(client.blocks()),
                        TimeText.span(client.forMillis()),
                        client.since(),
                        client.until()));
        lines.addAll(columns.lines(4));
        more(endpoint.clients().blocked(), endpoint.clients().mostBlocked().size());
    }

    private void more(int clients, int listed) {
        int more = clients - Math.min(MOST_SHOWN, listed);
        if (more > 0) {
            lines.add("    and " + CountText.of(more, "more client"));
        }
    }

    private static String peak(EndpointReport.Client client, EndpointReport endpoint) {
        String period = endpoint.tiers().stream()
                .filter(tier -> tier.name().equals(client.tier()))
                .map(EndpointReport.Tier::period)
                .findAny()
                .orElse("");
        return client.peak() == 0 || period.isEmpty() ? "-" : client.peak() + " in " + period;
    }

    private void windows(EndpointReport.Windows windows) {
        String period = windows.period();
        lines.add("  calls of one client in " + period + ": median " + windows.p50() + ", 90% " + windows.p90()
                + ", 99% " + windows.p99() + ", 99.9% " + windows.p999() + ", maximum " + windows.max());
        lines.add("  thresholds for " + period + ", refusing at most "
                + windows.thresholds().stream()
                        .map(one -> one.aim() + ": " + one.threshold())
                        .collect(Collectors.joining("; ")));
    }

    private void comparison(RehearsalReport report, ComparedFile.Result comparison) {
        lines.add("");
        lines.add("Compared with " + SafeText.of(comparison.other()) + ": " + comparison.refusedByBoth()
                + " refused by both, " + comparison.onlyFirst() + " by " + SafeText.of(report.file()) + " alone, "
                + comparison.onlySecond() + " by " + SafeText.of(comparison.other()) + " alone");
        differences("refused by " + report.file() + " alone:", comparison.refusedByFirst());
        differences("refused by " + comparison.other() + " alone:", comparison.refusedBySecond());
    }

    private void differences(String title, List<Difference> differences) {
        if (differences.isEmpty()) {
            return;
        }
        lines.add("  " + SafeText.of(title));
        Columns columns = new Columns();
        differences.stream()
                .limit(MOST_SHOWN)
                .forEach(one -> columns.row(
                        SafeText.cut(one.client(), LONGEST_NAME), one.endpoint(), CountText.of(one.calls(), "call")));
        lines.addAll(columns.lines(4));
    }
}
