package dev.sluice.cli.rehearse.report;

import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.log.LogSummary;
import dev.sluice.cli.rehearse.play.AlternativeLimits;
import dev.sluice.cli.rehearse.play.Rehearsal;
import dev.sluice.cli.rehearse.tally.BlockTally;
import dev.sluice.cli.rehearse.tally.CallerName;
import dev.sluice.cli.rehearse.tally.ClientTally;
import dev.sluice.cli.rehearse.tally.EndpointTally;
import dev.sluice.cli.rehearse.tally.EndpointTally.TierTally;
import dev.sluice.cli.rehearse.tally.LogTally;
import dev.sluice.cli.rehearse.tally.Peaks;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.cli.rehearse.tally.WindowDistribution;
import dev.sluice.cli.text.TimeText;
import dev.sluice.internal.config.tier.PeriodText;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeSet;

/** Makes a report from the counts. */
public final class ReportMaker {

    private static final int VERSION = 1;
    private static final int MOST_CLIENTS = 20;
    /** Shares of refused calls, in ten thousandths. */
    private static final int[] SHARES = {100, 10, 1};

    private static final int[] CLIENTS = {10, 5, 1};

    private final Rehearsal rehearsal;

    private ReportMaker(Rehearsal rehearsal) {
        this.rehearsal = rehearsal;
    }

    /**
     * Makes the report.
     *
     * @param file that was rehearsed
     */
    public static Report of(String file, boolean interrupted, LogSummary summary, Rehearsal rehearsal) {
        ReportMaker maker = new ReportMaker(rehearsal);
        LogTally tally = rehearsal.tally();
        return new Report(
                VERSION,
                file,
                interrupted,
                summary,
                tally.calls() == 0 ? null : TimeText.moment(tally.firstMillis()),
                tally.calls() == 0 ? null : TimeText.moment(tally.lastMillis()),
                tally.calls(),
                tally.refused(),
                share(tally.refused(), tally.calls()),
                tally.unlimited(),
                rehearsal.unplayable(),
                tally.endpoints().stream()
                        .filter(one -> one.endpoint().on() == null)
                        .map(maker::endpoint)
                        .toList(),
                rehearsal.comparison(),
                rehearsal.instances());
    }

    static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private Report.Endpoint endpoint(EndpointTally tally) {
        Endpoint endpoint = tally.endpoint();
        List<Report.Windows> windows = new ArrayList<>();
        for (int i = 0; i < tally.periods().size(); i++) {
            windows.add(windows(PeriodText.of(tally.periods().get(i)), tally.counts(i), tally.peaks(i)));
        }
        return new Report.Endpoint(
                endpoint.id(),
                List.copyOf(new TreeSet<>(endpoint.methods())),
                endpoint.pathPattern(),
                endpoint.per(),
                endpoint.mode().word(),
                tally.calls(),
                tally.refused(),
                share(tally.refused(), tally.calls()),
                tally.wouldRefuse(),
                tally.refusedElsewhere(),
                tally.exempt(),
                tally.blocks().blocks(),
                tally.blocks().clients(),
                tally.clients(),
                tally.refusedClients(),
                tally.tiers().stream().map(tier -> tier(tier, tally.calls())).toList(),
                windows,
                tally.mostRefused(MOST_CLIENTS).stream()
                        .map(client -> client(client, tally))
                        .toList(),
                tally.blocks().longest(MOST_CLIENTS).stream()
                        .map(ReportMaker::blocked)
                        .toList(),
                algorithms(tally),
                ChartFigures.of(tally));
    }

    private static Report.Client client(ClientTally client, EndpointTally endpoint) {
        Tier tier = client.tier();
        long threshold = tier == null ? 0 : tier.limit().threshold();
        int index = tier == null ? -1 : endpoint.indexOf(tier.limit());
        long peak = index < 0 ? 0 : client.peak(index);
        return new Report.Client(
                CallerName.of(client.who()),
                client.calls(),
                client.refused(),
                TimeText.moment(client.firstRefusedMillis()),
                TimeText.moment(client.lastRefusedMillis()),
                client.refusedWindows(),
                client.refusedMillis(),
                tier == null ? "" : tier.name(),
                threshold,
                peak,
                threshold == 0 ? 0 : Math.round(100.0 * peak / threshold) / 100.0);
    }

    private static Report.Blocked blocked(BlockTally.Blocked one) {
        return new Report.Blocked(
                CallerName.of(one.caller()),
                one.tier(),
                one.blocks(),
                TimeText.moment(one.sinceMillis()),
                TimeText.moment(one.untilMillis()),
                one.lastedMillis());
    }

    private static Report.Tier tier(TierTally tally, long calls) {
        Limit limit = tally.tier().limit();
        RefusalCount count = tally.count();
        return new Report.Tier(
                tally.tier().name(),
                limit.algorithm().word(),
                limit.threshold(),
                limit.hasPeriod() ? PeriodText.of(limit) : "",
                count.refused(),
                share(count.refused(), calls),
                count.clients());
    }

    private static Report.Windows windows(String period, WindowDistribution counts, Peaks peaks) {
        List<Report.Threshold> thresholds = new ArrayList<>();
        for (int share : SHARES) {
            long threshold = counts.thresholdRefusing(counts.asked() * share / 10_000);
            thresholds.add(threshold(Percentages.text(share / 10_000.0) + " of calls", threshold, counts));
        }
        for (int clients : CLIENTS) {
            long threshold = peaks.thresholdPassedBy(clients);
            thresholds.add(threshold(clients + (clients == 1 ? " client" : " clients"), threshold, counts));
        }
        return new Report.Windows(
                period,
                counts.windows(),
                counts.quantile(0.5),
                counts.quantile(0.9),
                counts.quantile(0.99),
                counts.quantile(0.999),
                counts.quantile(1),
                distribution(counts),
                thresholds);
    }

    /** In ranges that double in size: 1, 2, 3 to 4, 5 to 8 and so on. */
    private static List<Report.Range> distribution(WindowDistribution counts) {
        List<Report.Range> ranges = new ArrayList<>();
        NavigableMap<Long, Long> windows = counts.counts();
        long most = windows.isEmpty() ? 0 : windows.lastKey();
        for (long above = 0; above < most; above = Math.max(1, 2 * above)) {
            long to = Math.max(1, 2 * above);
            long within = windows.subMap(above, false, to, true).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            ranges.add(new Report.Range(above + 1, to, within));
        }
        return ranges;
    }

    private static Report.Threshold threshold(String aim, long threshold, WindowDistribution counts) {
        long refused = counts.refusedBy(threshold);
        return new Report.Threshold(aim, threshold, refused, share(refused, counts.asked()));
    }

    private List<Report.Algorithm> algorithms(EndpointTally tally) {
        if (rehearsal.alternatives().isEmpty()) {
            return List.of();
        }
        List<Report.Algorithm> algorithms = new ArrayList<>();
        algorithms.add(new Report.Algorithm(
                "as the file says", tally.refused(), share(tally.refused(), tally.calls()), tally.refusedClients()));
        for (AlternativeLimits alternative : rehearsal.alternatives()) {
            RefusalCount count = alternative.refusals().get(tally.endpoint().id());
            if (count != null) {
                alternative
                        .names()
                        .forEach(name -> algorithms.add(new Report.Algorithm(
                                name, count.refused(), share(count.refused(), tally.calls()), count.clients())));
            }
        }
        return algorithms;
    }
}
