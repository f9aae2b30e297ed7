package dev.sluice.internal.page;

import dev.sluice.Subject;
import dev.sluice.internal.page.PageData.ClientData;
import dev.sluice.internal.page.PageData.EndpointCounts;
import dev.sluice.limits.Standing;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.EndpointTraffic;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of the last fifteen minutes, for all endpoints and for the most important clients. These are the clients
 * with the most calls, the clients with the most refusals, and the clients near a limit. Memory is bounded, regardless
 * of what callers send. Callers that are known only by their address or login have a separate share of the memory, so
 * that a scan from many addresses does not evict customers. Thread-safe; {@code this} guards its state.
 */
final class TrafficHistory {

    /** The maximum number of pairs of a customer and an endpoint that are stored. */
    static final int MOST_CUSTOMERS = 300;

    /**
     * The maximum number of stored pairs of a caller and an endpoint, if the caller is known only by its address or
     * login.
     */
    static final int MOST_ADDRESSES = 100;

    private static final int MOST_ENDPOINTS = 1000;
    private static final int CANDIDATES = 100;
    private static final long KEPT_MILLIS = OutcomeBuckets.KEPT * Traffic.SLICE_MILLIS;

    private final Map<ClientAtEndpoint, ClientHistory> clients = new HashMap<>();
    private final Map<String, OutcomeBuckets> endpoints = new TreeMap<>();
    /** The ids of clients that were dropped in this generation. */
    private List<Integer> gone = new ArrayList<>();

    private int lastId;
    /** The current generation. A generation lasts from one report of changes to the next. */
    private long generation = 1;

    private long lastBucket;

    /** A client at an endpoint. */
    record ClientAtEndpoint(String endpoint, List<Subject> caller) {}

    /** Adds the reports of several intervals. If the latest interval has not ended yet, it will be reported again. */
    synchronized void add(List<TrafficReport> intervals, long nowMillis) {
        lastBucket = bucketOf(nowMillis);
        intervals.forEach(this::add);
        clients.values().removeIf(client -> client.lastMillis() < nowMillis - KEPT_MILLIS && gone.add(client.id));
        endpoints.values().removeIf(buckets -> buckets.latest() <= lastBucket - OutcomeBuckets.KEPT);
        dropLightest();
    }

    static long bucketOf(long millis) {
        return Math.floorDiv(millis, Traffic.SLICE_MILLIS);
    }

    private void add(TrafficReport interval) {
        long bucket = bucketOf(interval.fromMillis());
        for (EndpointTraffic traffic : interval.endpoints()) {
            OutcomeBuckets buckets = endpoints.get(traffic.endpoint());
            if (buckets == null && endpoints.size() < MOST_ENDPOINTS) {
                buckets = new OutcomeBuckets();
                endpoints.put(traffic.endpoint(), buckets);
            }
            if (buckets != null) {
                buckets.put(
                        bucket,
                        traffic.allowed(),
                        traffic.refused(),
                        traffic.wouldRefuse(),
                        traffic.reportedElsewhere());
            }
        }
        Set<CallerTraffic> candidates = new HashSet<>();
        interval.callers().stream()
                .collect(Collectors.partitioningBy(ClientHistory::isAddress))
                .values()
                .forEach(callers -> addCandidates(
                        candidates, new TrafficReport(interval.fromMillis(), interval.toMillis(), callers, List.of())));
        for (CallerTraffic caller : interval.callers()) {
            ClientHistory client = clients.get(new ClientAtEndpoint(caller.endpoint(), caller.subjects()));
            if (client == null && candidates.contains(caller)) {
                client = new ClientHistory(++lastId, caller);
                clients.put(new ClientAtEndpoint(caller.endpoint(), caller.subjects()), client);
            }
            if (client != null) {
                client.put(bucket, caller, generation);
            }
        }
    }

    private static void addCandidates(Set<CallerTraffic> candidates, TrafficReport among) {
        candidates.addAll(among.mostRefused(CANDIDATES));
        candidates.addAll(among.nearestLimit(CANDIDATES));
        candidates.addAll(among.mostCalling(CANDIDATES));
    }

    private void dropLightest() {
        dropLightest(false, MOST_CUSTOMERS);
        dropLightest(true, MOST_ADDRESSES);
    }

    /** Drops the least important callers of one kind if their number exceeds the maximum. */
    private void dropLightest(boolean areAddresses, int most) {
        List<Map.Entry<ClientAtEndpoint, ClientHistory>> all = clients.entrySet().stream()
                .filter(entry -> entry.getValue().isAddress() == areAddresses)
                .toList();
        if (all.size() <= most) {
            return;
        }
        all.forEach(entry -> entry.getValue().weigh(lastBucket));
        List<Map.Entry<ClientAtEndpoint, ClientHistory>> lightest = all.stream()
                .sorted(Comparator.comparingLong(entry -> entry.getValue().weight))
                .limit(all.size() - most)
                .toList();
        lightest.forEach(entry -> {
            gone.add(entry.getValue().id);
            clients.remove(entry.getKey());
        });
    }

    /**
     * For each client whose limits might have changed, forgets the limit with the shortest period, because its tier
     * might no longer exist.
     */
    synchronized void forgetShortestLimits(ChangedLimits changed) {
        clients.forEach((key, client) -> {
            if (changed.concern(key.endpoint, key.caller)) {
                client.forgetShortest();
            }
        });
    }

    /** Called when an operator has ended the caller's block. The given standing is that of the unblocked caller. */
    synchronized void unblock(List<Subject> caller, Standing now, long nowMillis) {
        ClientHistory client = clients.get(new ClientAtEndpoint(now.endpoint(), caller));
        if (client != null) {
            client.unblock(now, nowMillis, generation);
        }
    }

    /** Returns all clients, with their whole history. */
    synchronized List<ClientData> clients() {
        return clients.values().stream()
                .sorted(Comparator.comparingInt(client -> client.id))
                .map(client -> client.data(lastBucket - OutcomeBuckets.KEPT + 1, lastBucket))
                .toList();
    }

    /** Begins a new generation, after the changes of the previous one have been reported. */
    synchronized void beginGeneration() {
        generation++;
        gone = new ArrayList<>();
    }

    /** Returns the clients that have changed in this generation, with their latest two intervals. */
    synchronized List<ClientData> changedClients() {
        return clients.values().stream()
                .filter(client -> client.changedIn == generation)
                .sorted(Comparator.comparingInt(client -> client.id))
                .map(client -> client.data(lastBucket - 1, lastBucket))
                .toList();
    }

    /** Returns the ids of clients that were dropped in this generation. */
    synchronized List<Integer> gone() {
        return List.copyOf(gone);
    }

    /** Returns the counts of all endpoints: their whole history, or the latest two intervals. */
    synchronized List<EndpointCounts> counts(boolean all) {
        List<EndpointCounts> counts = new ArrayList<>();
        endpoints.forEach((id, buckets) -> counts.add(new EndpointCounts(
                id, buckets.between(all ? lastBucket - OutcomeBuckets.KEPT + 1 : lastBucket - 1, lastBucket))));
        return counts;
    }

    /** Returns the client with this id; {@code null} if there is none. */
    synchronized @Nullable ClientAtEndpoint client(int id) {
        return clients.entrySet().stream()
                .filter(client -> client.getValue().id == id)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }
}
