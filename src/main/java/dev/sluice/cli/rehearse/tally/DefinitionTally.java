package dev.sluice.cli.rehearse.tally;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.rehearse.tally.client.Clients;
import dev.sluice.cli.rehearse.tally.client.DistinctCount;
import dev.sluice.cli.rehearse.tally.client.Series;
import dev.sluice.cli.rehearse.tally.client.TopClients;
import dev.sluice.tier.Tier;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that is counted of one definition. For one thread. */
public final class DefinitionTally {

    private static final long SHORTEST_BUCKET = 1_000;

    private final Endpoint endpoint;
    private final TimeGrid grid;
    private final Windows windows;
    private final Clients clients;
    private final Map<String, TierTally> tiers = new LinkedHashMap<>();
    private final DistinctCount refusedClients = new DistinctCount();
    private final TopClients busiest = new TopClients(ClientTally::calls);
    private final TopClients mostRefused = new TopClients(ClientTally::refused);
    private long calls;
    private long refused;
    private long wouldRefuse;
    private long refusedElsewhere;
    private long exempt;

    DefinitionTally(Endpoint endpoint) {
        this.endpoint = endpoint;
        long[] spans = Windows.spans(endpoint);
        this.grid = new TimeGrid(Math.max(SHORTEST_BUCKET, spans.length == 0 ? 0 : spans[0]));
        this.windows = new Windows(endpoint, grid);
        this.clients = new Clients(spans.length);
        endpoint.tiers().forEach(tier -> tiers.put(tier.name(), new TierTally(tier, new RefusalCount())));
    }

    /**
     * A call that the endpoint matches.
     *
     * @param cost how much it counts for
     * @param passes whether it goes on, whatever this definition says
     * @param said what this definition said; {@code null} if it had no say
     */
    void add(List<Subject> who, long nowMillis, long cost, boolean passes, @Nullable Decision said) {
        calls++;
        int row = clients.find(who);
        if (row < 0) {
            row = newClient(who, nowMillis);
        }
        long callsOfClient = clients.table.call(row, nowMillis);
        windows.add(clients, row, who, nowMillis, cost, passes ? cost : 0);
        if (said != null && RefusalCount.isRefusal(said)) {
            refusal(clients.named(row, who), nowMillis, said);
        } else if (!passes) {
            refusedElsewhere++;
        } else if (said != null && said.outcome() == Outcome.EXEMPT) {
            exempt++;
        }
        if (busiest.wants(callsOfClient) && busiest.lacks(clients.namedOrNull(row))) {
            follow(clients.named(row, who), busiest);
        }
    }

    private void refusal(ClientTally client, long nowMillis, Decision said) {
        refused++;
        wouldRefuse += said.outcome() == Outcome.WOULD_REFUSE ? 1 : 0;
        Tier tier = said.tier();
        if (tier == null) {
            return;
        }
        long mark = DistinctCount.mark(client.who());
        if (client.refused() == 0) {
            refusedClients.add(mark);
        }
        client.refusal(nowMillis, tier);
        tiers.computeIfAbsent(tier.name(), name -> new TierTally(tier, new RefusalCount()))
                .count()
                .add(mark);
        if (mostRefused.wants(client.refused()) && mostRefused.lacks(client)) {
            follow(client, mostRefused);
        }
        Series series = client.series();
        if (series != null) {
            series.addRefused(grid.at(nowMillis));
        }
    }

    private void follow(ClientTally client, TopClients leaders) {
        if (client.series() == null) {
            client.follow(grid.newSeries(windows.spans.length));
        }
        ClientTally gone = leaders.add(client);
        Series series = gone.series();
        if (gone != client && busiest.lacks(gone) && mostRefused.lacks(gone) && series != null) {
            grid.forget(series);
            gone.follow(null);
        }
    }

    private int newClient(List<Subject> who, long nowMillis) {
        if (clients.areMany()) {
            clients.forget(row -> isOver(row, nowMillis));
        }
        return clients.add(who);
    }

    /** Whether all windows of a client are over; if so, they are counted. */
    private boolean isOver(int row, long nowMillis) {
        boolean isOver = nowMillis - clients.table.lastMillis(row) > windows.longest();
        if (isOver) {
            windows.closeAll(clients, row);
        }
        return isOver;
    }

    /** The log is over. */
    void finish() {
        clients.table.forEach(row -> windows.closeAll(clients, row));
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Calls that the endpoint matches. */
    public long calls() {
        return calls;
    }

    /** Calls that it refused, or would have refused but for a dry run. */
    public long refused() {
        return refused;
    }

    /** Those of the refused that a dry run lets pass. */
    public long wouldRefuse() {
        return wouldRefuse;
    }

    /** Calls that another definition refused. */
    public long refusedElsewhere() {
        return refusedElsewhere;
    }

    /** Calls of clients that are exempt. */
    public long exempt() {
        return exempt;
    }

    /** Different callers. */
    public int clients() {
        return clients.seen();
    }

    /** Different callers with at least one refused call. */
    public int refusedClients() {
        return refusedClients.count();
    }

    /** By name; those of the definition first, and then those of single clients. */
    public List<TierTally> tiers() {
        return List.copyOf(tiers.values());
    }

    /** In milliseconds, the shortest first. */
    public long[] spans() {
        return windows.spans.clone();
    }

    /** What clients asked for in windows of that span. */
    public WindowCounts counts(int span) {
        return windows.counts.get(span);
    }

    public Peaks peaks(int span) {
        return windows.peaks.get(span);
    }

    /** Those refused most, at most so many. */
    public List<ClientTally> mostRefused(int most) {
        return clients.all().stream()
                .filter(client -> client.refused() > 0)
                .sorted(Comparator.comparingLong(ClientTally::refused)
                        .reversed()
                        .thenComparing(client -> client.who().toString()))
                .limit(most)
                .toList();
    }

    /** Those that are followed over time and called most. */
    public List<ClientTally> followedByCalls() {
        return busiest.all();
    }

    /** Those that are followed over time and were refused most. */
    public List<ClientTally> followedByRefusals() {
        return mostRefused.all();
    }

    public TimeGrid grid() {
        return grid;
    }
}
