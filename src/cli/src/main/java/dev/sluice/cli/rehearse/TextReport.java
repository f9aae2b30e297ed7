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

/** Formats a report for a terminal. Escapes control characters in names, because callers choose the names. */
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

    /** Describes what was read from the logs. This is the whole report if there is no limits file. */
    static List<String> ofLogs(RehearsalReport report) {
        TextReport text = new TextReport();
        text.logs("", report);
        text.unread(report.lines());
        return text.lines;
    }

    private void summary(RehearsalReport report) {
        logs(SafeText.of(report.file()) + " on ", report);
        lines.add("The limits refuse " + CountText.of(report.refused(), "call") + " ("
                + Percentages.text(report.share()) + "). " + matching(report.unlimited()) + " no limit.");
        unread(report.lines());
        if (!report.notPlayed().isEmpty()) {
            lines.add("A service would decide differently:");
            report.notPlayed().forEach(sentence -> lines.add("  " + SafeText.of(sentence)));
        }
    }

    private void logs(String what, RehearsalReport report) {
        LogSummary read = report.lines();
        lines.add((report.interrupted() ? "Stopped before the end: " : "")
                + what
                // A rotated log can have hundreds of parts. Three names are enough to recognize the log.
                + read.logs().stream().map(SafeText::of).limit(3).collect(Collectors.joining(", "))
                + (read.logs().size() > 3 ? " and " + (read.logs().size() - 3) + " more" : ""));
        if (report.from() != null && report.to() != null) {
            Duration span = Duration.between(Instant.parse(report.from()), Instant.parse(report.to()));
            lines.add(CountText.of(report.calls(), "call") + " from " + report.from() + " to " + report.to() + " ("
                    + TimeText.span(span.toMillis()) + "), in " + CountText.of(read.read(), "line"));
        }
    }

    private static String matching(long calls) {
        return CountText.of(calls, "call") + (calls == 1 ? " matches" : " match");
    }

    private void unread(LogSummary read) {
        count(read.unreadable(), "line", "could not be read:");
        read.firstUnreadable().forEach(line -> lines.add("  " + SafeText.of(line)));
        count(read.withoutRequest(), "line", read.withoutRequest() == 1 ? "has no request" : "have no request");
        skipped(read.late(), "line", "more than five minutes late");
        skipped(
                read.ahead(),
                "line",
                "more than a day ahead of " + (read.ahead() == 1 ? "its" : "their") + " neighbours");
        skipped(read.outside(), "call", "outside the path of --cut");
        read.broken().forEach(sentence -> lines.add(SafeText.of(sentence)));
    }

    private void count(long number, String thing, String what) {
        if (number > 0) {
            lines.add(CountText.of(number, thing) + " " + what);
        }
    }

    private void skipped(long number, String thing, String why) {
        count(number, thing, (number == 1 ? "is skipped, because it is " : "are skipped, because they are ") + why);
    }

    private void endpoint(EndpointReport endpoint) {
        lines.add("");
        String methods = endpoint.methods().isEmpty() ? "any method" : String.join(", ", endpoint.methods());
        lines.add(endpoint.id() + ": " + methods + " " + SafeText.of(endpoint.paths())
                + (endpoint.mode().equals("enforce") ? "" : " (" + endpoint.mode() + ")"));
        // All tables would be empty, so we omit them.
        if (endpoint.calls().all() == 0) {
            lines.add("  No calls match it.");
            return;
        }
        EndpointReport.Calls calls = endpoint.calls();
        EndpointReport.Clients clients = endpoint.clients();
        lines.add("  " + CountText.of(calls.all(), "call") + " from " + CountText.of(clients.all(), "client") + ". "
                + (calls.refused() == 0
                        ? "It refuses none."
                        : "It refuses " + calls.refused() + " (" + Percentages.text(calls.share()) + ") of "
                                + CountText.of(clients.refused(), "client") + "."));
        if (endpoint.blocks() > 0) {
            lines.add("  It blocks " + CountText.of(clients.blocked(), "client") + ", with "
                    + CountText.of(endpoint.blocks(), "block") + ".");
        }
        if (calls.exempt() > 0) {
            lines.add("  " + CountText.of(calls.exempt(), "call") + " came from exempt clients.");
        }
        if (calls.refusedElsewhere() > 0) {
            lines.add("  Other endpoints refuse " + CountText.of(calls.refusedElsewhere(), "call") + ".");
        }
        tiers(endpoint);
        clients(endpoint);
        blocked(endpoint);
        endpoint.windows().forEach(this::windows);
    }

    private void tiers(EndpointReport endpoint) {
        Columns columns = new Columns();
        columns.row("tier", "refused", "share", "clients refused");
        for (EndpointReport.Tier tier : endpoint.tiers()) {
            columns.row(
                    tier.name() + ": " + tier.text(),
                    String.valueOf(tier.refused()),
                    Percentages.text(tier.share()),
                    String.valueOf(tier.refusedClients()));
        }
        lines.addAll(columns.lines(2));
    }

    private void clients(EndpointReport endpoint) {
        if (endpoint.clients().mostRefused().isEmpty()) {
            return;
        }
        lines.add("  The clients with the most refused calls:");
        Columns columns = new Columns();
        columns.row("client", "refused", "calls", "refused for", "peak", "of the limit", "first", "last");
        endpoint.clients().mostRefused().stream()
                .limit(MOST_SHOWN)
                .forEach(client -> columns.row(
                        SafeText.cut(client.name(), LONGEST_NAME),
                        String.valueOf(client.refused()),
                        String.valueOf(client.calls()),
                        TimeText.span(client.forMillis()),
                        peak(client, endpoint),
                        // A limit without a period has no windows and therefore no peak.
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
        lines.add("  The clients that are blocked longest:");
        Columns columns = new Columns();
        columns.row("client", "tier", "blocks", "blocked for", "since", "until");
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
        lines.add("  How many calls a client makes in " + windows.period() + ", if it makes any:");
        Columns asked = new Columns();
        asked.row("median", "90%", "99%", "99.9%", "maximum");
        asked.row(
                String.valueOf(windows.p50()),
                String.valueOf(windows.p90()),
                String.valueOf(windows.p99()),
                String.valueOf(windows.p999()),
                String.valueOf(windows.max()));
        lines.addAll(asked.lines(4));
        lines.add("  The lowest threshold for " + windows.period() + " that keeps the refusals within a bound:");
        Columns thresholds = new Columns();
        // These rows help users choose a threshold. They show how many calls each threshold would refuse.
        thresholds.row("refuse at most", "threshold", "refused", "share");
        windows.thresholds()
                .forEach(one -> thresholds.row(
                        one.aim(),
                        String.valueOf(one.threshold()),
                        String.valueOf(one.refused()),
                        Percentages.text(one.share())));
        lines.addAll(thresholds.lines(4));
    }

    private void comparison(RehearsalReport report, ComparedFile.Result comparison) {
        lines.add("");
        String first = SafeText.of(report.file());
        String second = SafeText.of(comparison.other());
        lines.add("Compared with " + second + ": both files refuse "
                + CountText.of(comparison.refusedByBoth(), "call") + ", only " + first + " refuses "
                + comparison.onlyFirst() + ", only " + second + " refuses " + comparison.onlySecond());
        differences("Only " + report.file() + " refuses calls of these clients:", comparison.refusedByFirst());
        differences("Only " + comparison.other() + " refuses calls of these clients:", comparison.refusedBySecond());
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
