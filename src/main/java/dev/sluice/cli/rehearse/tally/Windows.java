package dev.sluice.cli.rehearse.tally;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.rehearse.tally.client.CallerTable;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.rehearse.tally.client.Clients;
import dev.sluice.cli.rehearse.tally.client.Series;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What clients of one definition ask for in windows of the periods of its tiers. For one thread. */
final class Windows {

    /** The periods, each once, the shortest first. */
    final long[] spans;

    final List<WindowCounts> counts = new ArrayList<>();
    final List<Peaks> peaks = new ArrayList<>();
    private final TimeGrid grid;

    Windows(Endpoint endpoint, TimeGrid grid) {
        this(spans(endpoint), grid);
    }

    private Windows(long[] spans, TimeGrid grid) {
        this.spans = spans;
        this.grid = grid;
        for (int i = 0; i < spans.length; i++) {
            counts.add(new WindowCounts());
            peaks.add(new Peaks());
        }
    }

    static long[] spans(Endpoint endpoint) {
        return endpoint.tiers().stream()
                .filter(tier -> tier.limit().hasPeriod())
                .mapToLong(tier -> tier.limit().period().toMillis())
                .distinct()
                .sorted()
                .toArray();
    }

    /** The longest; 0 if there is none. */
    long longest() {
        return spans.length == 0 ? 0 : spans[spans.length - 1];
    }

    /** A client asks for that much. */
    void add(Clients clients, int row, List<Subject> who, long nowMillis, long cost, long admitted) {
        CallerTable table = clients.table;
        for (int span = 0; span < spans.length; span++) {
            long start = nowMillis - nowMillis % spans[span];
            if (start != table.windowStart(row, span)) {
                close(clients, row, span);
                table.open(row, span, start);
            }
            long asked = table.ask(row, span, cost, admitted);
            peaks.get(span).add(who, asked);
        }
    }

    /** All windows of that client are over. */
    void closeAll(Clients clients, int row) {
        for (int span = 0; span < spans.length; span++) {
            close(clients, row, span);
        }
    }

    private void close(Clients clients, int row, int span) {
        CallerTable table = clients.table;
        long asked = table.asked(row, span);
        if (asked == 0) {
            return;
        }
        counts.get(span).add(asked);
        ClientTally named = clients.namedOrNull(row);
        @Nullable Series series = named == null ? null : named.series();
        if (series != null) {
            series.admitted(span, grid.at(table.windowStart(row, span)), table.admitted(row, span));
        }
        table.clear(row, span);
    }
}
