package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import dev.sluice.cli.output.CountText;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.tier.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The demand of one endpoint's clients in windows of one period: the exact distribution, and the clients with the
 * highest peaks. Not thread-safe.
 */
final class PeriodTally {

    /**
     * The number of stored peaks. It is large enough for the report, which shows the threshold that at most ten clients
     * exceed.
     */
    private static final int MOST_PEAKS = 12;

    /** The fractions of refused calls for which thresholds are reported, in ten-thousandths. */
    private static final int[] SHARES = {100, 10, 1};

    private static final int[] CLIENTS = {10, 5, 1};

    private final int index;
    private final Windows period;
    private final TimeGrid grid;
    /** The number of windows for each demand. */
    private final NavigableMap<Long, Long> counts = new TreeMap<>();

    private final List<Peak> peaks = new ArrayList<>(MOST_PEAKS);
    private long leastPeak;
    private long windows;
    private long asked;

    /** The highest demand of a client in one window. */
    private record Peak(List<Subject> who, long asked) {}

    /**
     * Creates a tally for windows of the given period. The index is the position of the period among the endpoint's
     * periods.
     */
    PeriodTally(int index, Windows period, TimeGrid grid) {
        this.index = index;
        this.period = period;
        this.grid = grid;
    }

    Windows period() {
        return period;
    }

    /** Adds a call made by a client. */
    void add(ClientTally client, long nowMillis, long cost, long admitted) {
        ClientTally.Window window = client.window(index);
        if (nowMillis < window.startMillis || nowMillis >= window.endMillis) {
            close(client);
            window.startMillis = period.startAt(nowMillis);
            window.endMillis = period.endAt(nowMillis);
        }
        window.asked += cost;
        window.admitted += admitted;
        window.peak = Math.max(window.peak, window.asked);
        // Most calls cannot change the list of peaks, so we do not search the list for them.
        if (window.asked > leastPeak) {
            addPeak(client.who(), window.asked);
        }
    }

    private void addPeak(List<Subject> who, long most) {
        Peak known = null;
        for (Peak one : peaks) {
            known = one.who.equals(who) ? one : known;
        }
        if (known != null && known.asked >= most) {
            return;
        }
        if (known != null) {
            peaks.remove(known);
        } else if (peaks.size() == MOST_PEAKS) {
            peaks.remove(MOST_PEAKS - 1);
        }
        peaks.add(new Peak(who, most));
        peaks.sort(Comparator.comparingLong(Peak::asked).reversed());
        leastPeak = peaks.size() < MOST_PEAKS ? 0 : peaks.get(MOST_PEAKS - 1).asked;
    }

    /** Counts a client's window that has just ended. */
    void close(ClientTally client) {
        ClientTally.Window window = client.window(index);
        if (window.asked == 0) {
            return;
        }
        windows++;
        asked += window.asked;
        counts.merge(window.asked, 1L, Long::sum);
        TimeGrid.Series series = client.series();
        if (series != null) {
            series.admitted(index, grid.at(window.startMillis), window.admitted);
        }
        window.startMillis = 0;
        window.endMillis = 0;
        window.asked = 0; // so that the window is not counted twice
        window.admitted = 0;
    }

    EndpointReport.Windows report() {
        List<EndpointReport.Threshold> thresholds = new ArrayList<>();
        for (int share : SHARES) {
            String aim = Percentages.text(share / 10_000.0) + " of calls";
            thresholds.add(threshold(aim, thresholdRefusing(asked * share / 10_000)));
        }
        for (int clients : CLIENTS) {
            long passed = clients < peaks.size() ? peaks.get(clients).asked : 1;
            thresholds.add(threshold(CountText.of(clients, "client"), passed));
        }
        return new EndpointReport.Windows(
                TierNotation.period(period),
                windows,
                quantile(0.5),
                quantile(0.9),
                quantile(0.99),
                quantile(0.999),
                quantile(1),
                distribution(),
                thresholds);
    }

    /** Returns a quantile: the highest demand among the given fraction of windows with the lowest demand. */
    private long quantile(double part) {
        long rank = Math.max(1, (long) Math.ceil(part * windows));
        long seen = 0;
        for (Map.Entry<Long, Long> one : counts.entrySet()) {
            seen += one.getValue();
            if (seen >= rank) {
                return one.getKey();
            }
        }
        return 0;
    }

    /** Groups the distribution into ranges that double in size: 1, 2, 3 to 4, 5 to 8 and so on. */
    private List<EndpointReport.Range> distribution() {
        List<EndpointReport.Range> ranges = new ArrayList<>();
        long most = counts.isEmpty() ? 0 : counts.lastKey();
        for (long above = 0; above < most; above = Math.max(1, 2 * above)) {
            long to = Math.max(1, 2 * above);
            long within = counts.subMap(above, false, to, true).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            ranges.add(new EndpointReport.Range(above + 1, to, within));
        }
        return ranges;
    }

    private EndpointReport.Threshold threshold(String aim, long threshold) {
        long refused = counts.tailMap(threshold, false).entrySet().stream()
                .mapToLong(one -> (one.getKey() - threshold) * one.getValue())
                .sum();
        return new EndpointReport.Threshold(aim, threshold, refused, Percentages.share(refused, asked));
    }

    /** Returns the lowest threshold at which fixed windows would refuse at most the given cost. */
    private long thresholdRefusing(long atMost) {
        long over = 0; // windows above the current threshold
        long refused = 0;
        long threshold = windows == 0 ? 0 : counts.lastKey();
        for (Map.Entry<Long, Long> one : counts.descendingMap().entrySet()) {
            // If the threshold is lowered by one, each window above it refuses one more call.
            long steps = threshold - one.getKey();
            if (over > 0 && refused + over * steps > atMost) {
                return Math.max(1, threshold - (atMost - refused) / over);
            }
            refused += over * steps;
            threshold = one.getKey();
            over += one.getValue();
        }
        return over == 0 ? 1 : Math.max(1, threshold - (atMost - refused) / over);
    }
}
