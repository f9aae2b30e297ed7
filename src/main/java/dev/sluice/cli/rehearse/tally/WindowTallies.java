package dev.sluice.cli.rehearse.tally;

import dev.sluice.Endpoint;
import dev.sluice.tier.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Counts what clients of one endpoint ask for in windows of its tiers' periods. Not thread-safe. */
final class WindowTallies {

    final List<Windows> periods;
    final List<WindowDistribution> counts = new ArrayList<>();
    final List<Peaks> peaks = new ArrayList<>();
    private final TimeGrid grid;

    WindowTallies(List<Windows> periods, TimeGrid grid) {
        this.periods = periods;
        this.grid = grid;
        for (int i = 0; i < periods.size(); i++) {
            counts.add(new WindowDistribution());
            peaks.add(new Peaks());
        }
    }

    /** The periods of an endpoint's tiers, each once, the shortest first. */
    static List<Windows> periods(Endpoint endpoint) {
        return endpoint.tiers().stream()
                .map(tier -> tier.limit().periods())
                .filter(Objects::nonNull)
                .distinct()
                .sorted(Comparator.comparing(Windows::length))
                .toList();
    }

    /** The longest period; 0 if there is none. */
    long longest() {
        return periods.stream()
                .mapToLong(windows -> windows.longest().toMillis())
                .max()
                .orElse(0);
    }

    /** Adds a call of a client. */
    void add(ClientTally client, long nowMillis, long cost, long admitted) {
        for (int period = 0; period < periods.size(); period++) {
            ClientTally.Window window = client.window(period);
            if (!window.contains(nowMillis)) {
                close(client, period);
                window.open(
                        periods.get(period).startAt(nowMillis),
                        periods.get(period).endAt(nowMillis));
            }
            window.ask(cost, admitted);
            peaks.get(period).add(client.who(), window.asked());
        }
    }

    /** Counts all windows of a client, which are over. */
    void closeAll(ClientTally client) {
        for (int period = 0; period < periods.size(); period++) {
            close(client, period);
        }
    }

    private void close(ClientTally client, int period) {
        ClientTally.Window window = client.window(period);
        if (window.asked() == 0) {
            return;
        }
        counts.get(period).add(window.asked());
        ClientSeries series = client.series();
        if (series != null) {
            series.admitted(period, grid.at(window.startMillis()), window.admitted());
        }
        window.open(0, 0); // so that it does not count again
    }
}
