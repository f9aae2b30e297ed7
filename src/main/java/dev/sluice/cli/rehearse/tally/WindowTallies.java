package dev.sluice.cli.rehearse.tally;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.rehearse.tally.client.CallerRows;
import dev.sluice.cli.rehearse.tally.client.ClientSeries;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.rehearse.tally.client.EndpointClients;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What clients of one endpoint ask for in windows of the periods of its tiers. For one thread. */
final class WindowTallies {

    /** The periods, each once, the shortest first. */
    final long[] periods;

    final List<WindowDistribution> counts = new ArrayList<>();
    final List<Peaks> peaks = new ArrayList<>();
    private final TimeGrid grid;

    WindowTallies(Endpoint endpoint, TimeGrid grid) {
        this(periods(endpoint), grid);
    }

    private WindowTallies(long[] periods, TimeGrid grid) {
        this.periods = periods;
        this.grid = grid;
        for (int i = 0; i < periods.length; i++) {
            counts.add(new WindowDistribution());
            peaks.add(new Peaks());
        }
    }

    static long[] periods(Endpoint endpoint) {
        return endpoint.tiers().stream()
                .filter(tier -> tier.limit().hasPeriod())
                .mapToLong(tier -> tier.limit().period().toMillis())
                .distinct()
                .sorted()
                .toArray();
    }

    /** The longest; 0 if there is none. */
    long longest() {
        return periods.length == 0 ? 0 : periods[periods.length - 1];
    }

    /** A client asks for that much. */
    void add(EndpointClients clients, int row, List<Subject> who, long nowMillis, long cost, long admitted) {
        CallerRows rows = clients.rows;
        for (int period = 0; period < periods.length; period++) {
            long start = nowMillis - nowMillis % periods[period];
            if (start != rows.windowStart(row, period)) {
                close(clients, row, period);
                rows.open(row, period, start);
            }
            long asked = rows.ask(row, period, cost, admitted);
            peaks.get(period).add(who, asked);
        }
    }

    /** All windows of that client are over. */
    void closeAll(EndpointClients clients, int row) {
        for (int period = 0; period < periods.length; period++) {
            close(clients, row, period);
        }
    }

    private void close(EndpointClients clients, int row, int period) {
        CallerRows rows = clients.rows;
        long asked = rows.asked(row, period);
        if (asked == 0) {
            return;
        }
        counts.get(period).add(asked);
        ClientTally named = clients.namedOrNull(row);
        @Nullable ClientSeries series = named == null ? null : named.series();
        if (series != null) {
            series.admitted(period, grid.at(rows.windowStart(row, period)), rows.admitted(row, period));
        }
        rows.clear(row, period);
    }
}
