package dev.sluice.cli.rehearse.tally;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that is counted of one definition. For one thread. */
public final class DefinitionTally {

    private static final int MOST_KEPT = 20_000;
    private static final long SHORTEST_BUCKET = 1_000;

    private final Endpoint endpoint;
    /** The periods of its tiers, each once. */
    private final long[] spans;

    private final List<WindowCounts> counts = new ArrayList<>();
    private final List<Peaks> peaks = new ArrayList<>();
    private final Map<List<Subject>, ClientTally> clients = new HashMap<>();
    private final RecentClients recent = new RecentClients();
    private final DistinctCount seenClients = new DistinctCount();
    private final Map<String, TierTally> tiers = new LinkedHashMap<>();
    private final DistinctCount refusedClients = new DistinctCount();
    private final TimeGrid grid;
    private final Leaders busiest = new Leaders(ClientTally::calls);
    private final Leaders mostRefused = new Leaders(ClientTally::refused);
    private long calls;
    private long refused;
    private long wouldRefuse;
    private long refusedElsewhere;
    private long exempt;
    private int sweepAt = 10_000;

    DefinitionTally(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.spans = endpoint.tiers().stream()
                .filter(tier -> tier.limit().hasPeriod())
                .mapToLong(tier -> tier.limit().period().toMillis())
                .distinct()
                .sorted()
                .toArray();
        for (long ignored : spans) {
            counts.add(new WindowCounts());
            peaks.add(new Peaks());
        }
        endpoint.tiers().forEach(tier -> tiers.put(tier.name(), new TierTally(tier, new RefusalCount())));
        this.grid = new TimeGrid(Math.max(SHORTEST_BUCKET, spans.length == 0 ? 0 : spans[0]));
    }

    /**
     * A call that the definition speaks of.
     *
     * @param cost how much it counts for
     * @param passes whether it goes on, whatever this definition says
     * @param said what this definition said; {@code null} if it had no say
     */
    void add(List<Subject> who, long nowMillis, long cost, boolean passes, @Nullable Decision said) {
        calls++;
        ClientTally client = recent.find(who);
        if (client == null) {
            client = clients.get(who);
            client = client == null ? newClient(who, nowMillis) : client;
            recent.remember(who, client);
        }
        client.call(nowMillis);
        for (int span = 0; span < spans.length; span++) {
            long start = nowMillis - nowMillis % spans[span];
            if (start != client.windowStart[span]) {
                close(client, span);
                client.windowStart[span] = start;
            }
            client.asked[span] += cost;
            client.admitted[span] += passes ? cost : 0;
        }
        if (said != null && RefusalCount.isRefusal(said)) {
            refusal(client, nowMillis, said);
        } else if (!passes) {
            refusedElsewhere++;
        } else if (said != null && said.outcome() == Outcome.EXEMPT) {
            exempt++;
        }
        if (busiest.wants(client)) {
            follow(client, busiest);
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
        if (mostRefused.wants(client)) {
            follow(client, mostRefused);
        }
        Series series = client.series();
        if (series != null) {
            series.addRefused(grid.at(nowMillis));
        }
    }

    private void follow(ClientTally client, Leaders leaders) {
        if (client.series() == null) {
            client.follow(grid.newSeries(spans.length));
        }
        ClientTally gone = leaders.add(client);
        Series series = gone.series();
        if (gone != client && !busiest.has(gone) && !mostRefused.has(gone) && series != null) {
            grid.forget(series);
            gone.follow(null);
        }
    }

    private ClientTally newClient(List<Subject> who, long nowMillis) {
        if (clients.size() >= sweepAt) {
            sweep(nowMillis);
        }
        ClientTally client = new ClientTally(who, spans.length);
        clients.put(who, client);
        seenClients.add(DistinctCount.mark(who));
        return client;
    }

    /** The window is over, or the log is. */
    private void close(ClientTally client, int span) {
        long asked = client.asked[span];
        if (asked == 0) {
            return;
        }
        counts.get(span).add(asked);
        peaks.get(span).add(client.who(), asked);
        client.peak(span, asked);
        Series series = client.series();
        if (series != null) {
            series.admitted(span, grid.at(client.windowStart[span]), client.admitted[span]);
        }
        client.asked[span] = 0;
        client.admitted[span] = 0;
    }

    /** Forgets clients whose windows are over, but for those that were refused most. */
    private void sweep(long nowMillis) {
        long longest = spans.length == 0 ? 0 : spans[spans.length - 1];
        clients.values().removeIf(client -> {
            boolean isIdle = nowMillis - client.lastMillis() > longest;
            if (isIdle) {
                closeAll(client);
            }
            return isIdle && !client.isKept();
        });
        List<ClientTally> idle = clients.values().stream()
                .filter(client -> client.series() == null && nowMillis - client.lastMillis() > longest)
                .sorted(Comparator.comparingLong(ClientTally::refused))
                .toList();
        for (int i = 0; i < idle.size() - MOST_KEPT; i++) {
            clients.remove(idle.get(i).who());
        }
        recent.clear();
        sweepAt = Math.max(10_000, 2 * clients.size());
    }

    private void closeAll(ClientTally client) {
        for (int span = 0; span < spans.length; span++) {
            close(client, span);
        }
    }

    /** The log is over. */
    void finish() {
        clients.values().forEach(this::closeAll);
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Those that it speaks of. */
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
        return seenClients.count();
    }

    /** Different callers of whom some call was refused. */
    public int refusedClients() {
        return refusedClients.count();
    }

    /** By name; those of the definition first, and then those of single clients. */
    public List<TierTally> tiers() {
        return List.copyOf(tiers.values());
    }

    /** In milliseconds, the shortest first. */
    public long[] spans() {
        return spans.clone();
    }

    /** What clients asked for in windows of that span. */
    public WindowCounts counts(int span) {
        return counts.get(span);
    }

    public Peaks peaks(int span) {
        return peaks.get(span);
    }

    /** Those refused most, at most so many. */
    public List<ClientTally> mostRefused(int most) {
        return clients.values().stream()
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
