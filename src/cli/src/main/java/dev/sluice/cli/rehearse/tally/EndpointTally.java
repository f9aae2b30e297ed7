package dev.sluice.cli.rehearse.tally;

import dev.sluice.Block;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.config.keys.EndpointNotation;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.internal.text.CallerText;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The counts of one endpoint. Not thread-safe. */
public final class EndpointTally {

    private static final long SHORTEST_BUCKET = 1_000;
    private static final int MOST_CLIENTS = 20;
    private static final int MOST_LINES = 8;

    private final Endpoint endpoint;
    private final TimeGrid grid;
    /** The distinct periods of all tiers, including those of clients and plans, shortest first. */
    private final List<PeriodTally> periods = new ArrayList<>();

    private final long longestMillis;
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

    /** The refusals of one tier. */
    private record TierTally(Tier tier, RefusalCount count) {}

    EndpointTally(Endpoint endpoint, Limits limits) {
        this.endpoint = endpoint;
        List<Windows> windows = tiersOf(endpoint, limits)
                .map(tier -> tier.limit().periods())
                .filter(Objects::nonNull)
                .distinct()
                .sorted(Comparator.comparing(Windows::length))
                .toList();
        this.grid = new TimeGrid(Math.max(
                SHORTEST_BUCKET,
                windows.isEmpty() ? 0 : windows.get(0).longest().toMillis()));
        windows.forEach(period -> periods.add(new PeriodTally(periods.size(), period, grid)));
        this.longestMillis = windows.stream()
                .mapToLong(period -> period.longest().toMillis())
                .max()
                .orElse(0);
        this.clients = new EndpointClients(windows.size());
        endpoint.tiers().forEach(tier -> tiers.put(tier.name(), new TierTally(tier, new RefusalCount())));
    }

    /**
     * Returns all tiers that can count calls at an endpoint: the endpoint's own tiers, and those of clients and plans.
     */
    public static Stream<Tier> tiersOf(Endpoint endpoint, Limits limits) {
        Stream<Map<String, List<Tier>>> others = Stream.concat(
                limits.clients().stream().map(Client::endpoints),
                limits.plans().byName().values().stream().map(Plan::endpoints));
        return Stream.concat(
                endpoint.tiers().stream(), others.flatMap(own -> own.getOrDefault(endpoint.id(), List.of()).stream()));
    }

    /**
     * Adds a call that matches the endpoint.
     *
     * @param cost the cost of the call
     * @param passes whether all endpoints together admit the call
     * @param decision the decision of this endpoint; {@code null} if the limiter has not reported one
     */
    void add(List<Subject> who, long nowMillis, long cost, boolean passes, @Nullable Decision decision) {
        calls++;
        ClientTally known = clients.find(who);
        ClientTally client = known == null ? newClient(who, nowMillis) : known;
        client.call(nowMillis);
        periods.forEach(period -> period.add(client, nowMillis, cost, passes ? cost : 0));
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
        TimeGrid.Series series = client.series();
        if (series != null) {
            series.addRefused(grid.at(nowMillis));
        }
    }

    private void follow(ClientTally client, TopClients leaders) {
        if (client.series() == null) {
            client.follow(grid.newSeries(periods.size()));
        }
        ClientTally gone = leaders.add(client);
        TimeGrid.Series series = gone.series();
        // A series occupies a lot of memory, so we store it only while its client is in one of the two lists.
        if (gone != client && busiest.lacks(gone) && mostRefused.lacks(gone) && series != null) {
            grid.forget(series);
            gone.follow(null);
        }
    }

    private ClientTally newClient(List<Subject> who, long nowMillis) {
        // The log can contain millions of callers, so we forget callers that have been idle for longer than any period.
        if (clients.areMany()) {
            clients.forget(client -> isOver(client, nowMillis));
        }
        return clients.add(who);
    }

    /** Whether all windows of a client have ended. If so, counts these windows. */
    private boolean isOver(ClientTally client, long nowMillis) {
        boolean isOver = nowMillis - client.lastMillis() > longestMillis;
        if (isOver) {
            close(client);
        }
        return isOver;
    }

    /** Counts the windows that are still open. Must be called after the last call in the logs. */
    void finish() {
        clients.all().forEach(this::close);
    }

    private void close(ClientTally client) {
        periods.forEach(period -> period.close(client));
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the index of a limit's period in the list of periods; -1 if the list does not contain it. */
    int indexOf(Limit limit) {
        return periods.stream().map(PeriodTally::period).toList().indexOf(limit.periods());
    }

    /** Creates a report from the counts. */
    public EndpointReport report() {
        return new EndpointReport(
                endpoint.id(),
                List.copyOf(new TreeSet<>(endpoint.methods())),
                EndpointNotation.oneOrMore(endpoint.pathPatterns()),
                endpoint.except(),
                endpoint.per(),
                endpoint.mode().word(),
                new EndpointReport.Calls(
                        calls, refusals.refused(), refusals.share(calls), wouldRefuse, refusedElsewhere, exempt),
                new EndpointReport.Clients(
                        clients.seen(),
                        refusals.clients(),
                        blocks.all().clients(),
                        clients.mostRefused(MOST_CLIENTS).stream()
                                .map(client -> client.report(this::indexOf))
                                .toList(),
                        blocks.longest(MOST_CLIENTS)),
                blocks.all().refused(),
                tiers.values().stream().map(this::tier).toList(),
                periods.stream().map(PeriodTally::report).toList(),
                charts());
    }

    /** Adds one tier to the report. The endpoint's own tiers come first, followed by those of individual clients. */
    private EndpointReport.Tier tier(TierTally tally) {
        Limit limit = tally.tier().limit();
        RefusalCount count = tally.count();
        return new EndpointReport.Tier(
                tally.tier().name(),
                TierNotation.text(tally.tier()),
                limit.algorithm().word(),
                limit.threshold(),
                limit.hasPeriod() ? TierNotation.period(limit) : "",
                count.refused(),
                count.share(calls),
                count.clients());
    }

    /**
     * Creates the charts for the tier that has refused the most calls. Considers only tiers with a period. Returns
     * {@code null} if there is no such tier, or if there were no calls.
     */
    private EndpointReport.@Nullable Charts charts() {
        Limit limit = tiers.values().stream()
                .filter(tier -> tier.tier().limit().hasPeriod())
                .max(Comparator.comparingLong(tier -> tier.count().refused()))
                .map(tier -> tier.tier().limit())
                .orElse(null);
        if (limit == null || calls == 0) {
            return null;
        }
        Windows windows = limit.periods();
        long period = windows == null ? 0 : windows.longest().toMillis();
        int index = indexOf(limit);
        // We join buckets so that at least one window begins in each of them. Otherwise, the line would drop to 0
        // between windows.
        int joined = (int) Math.max(1, -Math.floorDiv(-period, grid.bucketMillis()));
        int buckets = grid.buckets();
        return new EndpointReport.Charts(
                grid.startMillis(),
                grid.bucketMillis() * joined,
                (buckets + joined - 1) / joined,
                TierNotation.period(limit),
                limit.threshold(),
                lines(busiest, series -> series.admitted(index, buckets, joined)),
                lines(mostRefused, series -> series.refused(buckets, joined)));
    }

    private static List<EndpointReport.Line> lines(TopClients clients, Function<TimeGrid.Series, List<Long>> values) {
        List<EndpointReport.Line> lines = new ArrayList<>();
        for (ClientTally client : clients.all()) {
            TimeGrid.Series series = client.series();
            if (series != null && lines.size() < MOST_LINES) {
                lines.add(new EndpointReport.Line(CallerText.of(client.who()), values.apply(series)));
            }
        }
        return lines;
    }
}
