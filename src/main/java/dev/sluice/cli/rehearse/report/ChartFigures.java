package dev.sluice.cli.rehearse.report;

import dev.sluice.cli.rehearse.tally.CallerName;
import dev.sluice.cli.rehearse.tally.ClientSeries;
import dev.sluice.cli.rehearse.tally.ClientTally;
import dev.sluice.cli.rehearse.tally.EndpointTally;
import dev.sluice.cli.rehearse.tally.EndpointTally.TierTally;
import dev.sluice.internal.config.tier.PeriodText;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Windows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** The charts of one endpoint, for the tier with a period that refuses most. */
final class ChartFigures {

    private static final int MOST_LINES = 8;

    private ChartFigures() {}

    /** {@code null} if no tier has a period, or there was no call. */
    static Report.@Nullable Charts of(EndpointTally tally) {
        Limit limit = tally.tiers().stream()
                .filter(tier -> tier.tier().limit().hasPeriod())
                .max(Comparator.comparingLong((TierTally tier) -> tier.count().refused()))
                .map(tier -> tier.tier().limit())
                .orElse(null);
        if (limit == null || tally.calls() == 0) {
            return null;
        }
        Windows windows = limit.periods();
        long period = windows == null ? 0 : windows.longest().toMillis();
        int index = Math.max(0, tally.indexOf(limit));
        // Joins buckets so that in each some window begins.
        int joined = (int) Math.max(1, -Math.floorDiv(-period, tally.grid().bucketMillis()));
        int buckets = tally.grid().buckets();
        return new Report.Charts(
                tally.grid().startMillis(),
                tally.grid().bucketMillis() * joined,
                (buckets + joined - 1) / joined,
                PeriodText.of(limit),
                limit.threshold(),
                lines(tally.followedByCalls(), series -> series.admitted(index, buckets), joined, Math::max),
                lines(tally.followedByRefusals(), series -> series.refused(buckets), joined, Long::sum));
    }

    private static List<Report.Line> lines(
            List<ClientTally> clients, Function<ClientSeries, long[]> values, int joined, LongBinaryOperator with) {
        List<Report.Line> lines = new ArrayList<>();
        for (ClientTally client : clients) {
            ClientSeries series = client.series();
            if (series != null && lines.size() < MOST_LINES) {
                lines.add(line(client, values.apply(series), joined, with));
            }
        }
        return lines;
    }

    /** One line, with this many buckets merged into one. */
    private static Report.Line line(ClientTally client, long[] values, int joined, LongBinaryOperator with) {
        List<Long> line = new ArrayList<>();
        for (int from = 0; from < values.length; from += joined) {
            line.add(Arrays.stream(values, from, Math.min(values.length, from + joined))
                    .reduce(with)
                    .orElse(0));
        }
        return new Report.Line(CallerName.of(client.who()), line);
    }
}
