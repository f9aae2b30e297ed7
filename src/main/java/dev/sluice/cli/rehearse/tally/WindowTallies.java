package dev.sluice.cli.rehearse.tally;

import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.tally.client.ClientSeries;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.rehearse.tally.client.ClientWindow;
import java.util.ArrayList;
import java.util.List;

/** What clients of one endpoint ask for in windows of the periods of its tiers. For one thread. */
final class WindowTallies {

    final long[] periods;
    final List<WindowDistribution> counts = new ArrayList<>();
    final List<Peaks> peaks = new ArrayList<>();
    private final TimeGrid grid;

    WindowTallies(long[] periods, TimeGrid grid) {
        this.periods = periods;
        this.grid = grid;
        for (int i = 0; i < periods.length; i++) {
            counts.add(new WindowDistribution());
            peaks.add(new Peaks());
        }
    }

    /** The periods of an endpoint's tiers, each once, the shortest first. */
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
    void add(ClientTally client, long nowMillis, long cost, long admitted) {
        for (int period = 0; period < periods.length; period++) {
            ClientWindow window = client.window(period);
            long start = nowMillis - nowMillis % periods[period];
            if (start != window.startMillis()) {
                close(client, period);
                window.open(start);
            }
            window.ask(cost, admitted);
            peaks.get(period).add(client.who(), window.asked());
        }
    }

    /** All windows of that client are over. */
    void closeAll(ClientTally client) {
        for (int period = 0; period < periods.length; period++) {
            close(client, period);
        }
    }

    private void close(ClientTally client, int period) {
        ClientWindow window = client.window(period);
        if (window.asked() == 0) {
            return;
        }
        counts.get(period).add(window.asked());
        ClientSeries series = client.series();
        if (series != null) {
            series.admitted(period, grid.at(window.startMillis()), window.admitted());
        }
        window.open(window.startMillis()); // so that it is not counted again
    }
}
