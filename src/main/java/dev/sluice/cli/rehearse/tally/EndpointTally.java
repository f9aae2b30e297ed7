package dev.sluice.cli.rehearse.tally;

import dev.sluice.Block;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counts of one endpoint. Not thread-safe. */
public final class EndpointTally {

    private static final long SHORTEST_BUCKET = 1_000;

    private final Endpoint endpoint;
    private final TimeGrid grid;
    private final WindowTallies windows;
    private final EndpointClients clients;
    private final Map<String, TierTally> tiers = new LinkedHashMap<>();
    private final RefusalCount refusals = new RefusalCount();
    private final BlockTally blocks = new BlockTally();
    private final TopClients busiest = new TopClients(ClientTally::calls);
    private final TopClients mostRefused = new TopClients(ClientTally::refused);
    private long calls;
    private long wouldRefuse;
    private long refusedElsewhere;
    private long exempt;

    /** What one tier refused. */
    public record TierTally(Tier tier, RefusalCount count) {}

    EndpointTally(Endpoint endpoint) {
        this.endpoint = endpoint;
        List<Windows> periods = WindowTallies.periods(endpoint);
        this.grid = new TimeGrid(Math.max(
                SHORTEST_BUCKET,
                periods.isEmpty() ? 0 : periods.get(0).longest().toMillis()));
        this.windows = new WindowTallies(periods, grid);
        this.clients = new EndpointClients(periods.size());
        endpoint.tiers().forEach(tier -> tiers.put(tier.name(), new TierTally(tier, new RefusalCount())));
    }

    /**
     * Adds a call that the endpoint matches.
     *
     * @param cost how much the call counts
     * @param passes whether all endpoints together admit it
     * @param decision of this endpoint; {@code null} if the limiter reported none for it
     */
    void add(List<Subject> who, long nowMillis, long cost, boolean passes, @Nullable Decision decision) {
        calls++;
        ClientTally known = clients.find(who);
        ClientTally client = known == null ? newClient(who, nowMillis) : known;
        client.call(nowMillis);
        windows.add(client, nowMillis, cost, passes ? cost : 0);
        if (decision != null && RefusalCount.isRefusal(decision)) {
            refusal(client, nowMillis, decision);
        } else if (!passes) {
            refusedElsewhere++;
        } else if (decision != null && decision.outcome() == Outcome.EXEMPT) {
            exempt++;
        }
        if (busiest.wants(client.calls()) && busiest.lacks(client)) {
            follow(client, busiest);
        }
    }

    void addBlock(Block block) {
        blocks.add(block);
    }

    private void refusal(ClientTally client, long nowMillis, Decision decision) {
        long fingerprint = DistinctCallers.fingerprint(client.who());
        refusals.add(fingerprint);
        wouldRefuse += decision.outcome() == Outcome.WOULD_REFUSE ? 1 : 0;
        Tier tier = decision.tier();
        if (tier == null) {
            return;
        }
        client.refusal(nowMillis, tier);
        tiers.computeIfAbsent(tier.name(), name -> new TierTally(tier, new RefusalCount()))
                .count()
                .add(fingerprint);
        if (mostRefused.wants(client.refused()) && mostRefused.lacks(client)) {
            follow(client, mostRefused);
        }
        ClientSeries series = client.series();
        if (series != null) {
            series.addRefused(grid.at(nowMillis));
        }
    }

    private void follow(ClientTally client, TopClients leaders) {
        if (client.series() == null) {
            client.follow(grid.newSeries(windows.periods.size()));
        }
        ClientTally gone = leaders.add(client);
        ClientSeries series = gone.series();
        if (gone != client && busiest.lacks(gone) && mostRefused.lacks(gone) && series != null) {
            grid.forget(series);
            gone.follow(null);
        }
    }

    private ClientTally newClient(List<Subject> who, long nowMillis) {
        if (clients.areMany()) {
            clients.forget(client -> isOver(client, nowMillis));
        }
        return clients.add(who);
    }

    /** Whether all windows of a client are over; if so, counts them. */
    private boolean isOver(ClientTally client, long nowMillis) {
        boolean isOver = nowMillis - client.lastMillis() > windows.longest();
        if (isOver) {
            windows.closeAll(client);
        }
        return isOver;
    }

    /** Call after the last call. */
    void finish() {
        clients.all().forEach(windows::closeAll);
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
        return refusals.refused();
    }

    /** Refused calls that a dry run admits. */
    public long wouldRefuse() {
        return wouldRefuse;
    }

    /** Calls that another endpoint refused. */
    public long refusedElsewhere() {
        return refusedElsewhere;
    }

    /** Calls of clients that are exempt. */
    public long exempt() {
        return exempt;
    }

    public BlockTally blocks() {
        return blocks;
    }

    /** The number of different callers. */
    public int clients() {
        return clients.seen();
    }

    /** The number of different callers with a refused call. */
    public int refusedClients() {
        return refusals.clients();
    }

    /** The endpoint's tiers, and then those of single clients. */
    public List<TierTally> tiers() {
        return List.copyOf(tiers.values());
    }

    /** The periods, shortest first. */
    public List<Windows> periods() {
        return windows.periods;
    }

    /** The index of a limit's period among the periods; -1 if it is not there. */
    public int indexOf(Limit limit) {
        return limit.hasPeriod() ? windows.periods.indexOf(limit.periods()) : -1;
    }

    /** What clients asked for in windows of that period. */
    public WindowDistribution counts(int period) {
        return windows.counts.get(period);
    }

    public Peaks peaks(int period) {
        return windows.peaks.get(period);
    }

    /** The most refused clients, up to this number. */
    public List<ClientTally> mostRefused(int most) {
        return clients.all().stream()
                .filter(client -> client.refused() > 0)
                .sorted(Comparator.comparingLong(ClientTally::refused)
                        .reversed()
                        .thenComparing(client -> client.who().toString()))
                .limit(most)
                .toList();
    }

    /** Clients with a series, because they called most. */
    public List<ClientTally> followedByCalls() {
        return busiest.all();
    }

    /** Clients with a series, because they were refused most. */
    public List<ClientTally> followedByRefusals() {
        return mostRefused.all();
    }

    public TimeGrid grid() {
        return grid;
    }
}
