package dev.sluice.page;

import dev.sluice.Subject;
import dev.sluice.page.PageData.ClientData;
import dev.sluice.page.PageData.EndpointCounts;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.EndpointTraffic;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fifteen minutes of the clients worth looking at, and of all endpoints. So many clients are kept at most, those who
 * called and were refused most, whatever callers send. Guarded by {@code this}.
 */
final class History {

    /** So many pairs of client and endpoint are kept. */
    static final int MOST_ROWS = 300;

    private static final int MOST_ENDPOINTS = 1000;
    private static final int CANDIDATES = 100;
    private static final long KEPT_MILLIS = OutcomeBuckets.KEPT * Traffic.SLICE_MILLIS;

    private final Map<Key, ClientRow> rows = new HashMap<>();
    private final Map<String, OutcomeBuckets> endpoints = new TreeMap<>();
    /** Those that are no more, of the present generation. */
    private List<Integer> gone = new ArrayList<>();

    private int lastId;
    /** Changes are reported once a generation. */
    private long generation = 1;

    private long lastBucket;

    /** Who a row is of. */
    private record Key(String endpoint, List<Subject> caller) {}

    /** Takes reports of intervals, the last of which may not be over, and may come again. */
    synchronized void add(List<TrafficReport> intervals, long nowMillis) {
        lastBucket = bucketOf(nowMillis);
        intervals.forEach(this::add);
        rows.values().removeIf(row -> row.lastMillis() < nowMillis - KEPT_MILLIS && isGone(row));
        endpoints.values().removeIf(buckets -> buckets.latest() <= lastBucket - OutcomeBuckets.KEPT);
        dropLightest();
    }

    private boolean isGone(ClientRow row) {
        return gone.add(row.id);
    }

    static long bucketOf(long millis) {
        return Math.floorDiv(millis, Traffic.SLICE_MILLIS);
    }

    private void add(TrafficReport interval) {
        long bucket = bucketOf(interval.fromMillis());
        for (EndpointTraffic counted : interval.endpoints()) {
            OutcomeBuckets buckets = endpoints.get(counted.endpoint());
            if (buckets == null && endpoints.size() < MOST_ENDPOINTS) {
                buckets = new OutcomeBuckets();
                endpoints.put(counted.endpoint(), buckets);
            }
            if (buckets != null) {
                buckets.put(bucket, counted.allowed(), counted.refused(), counted.wouldRefuse());
            }
        }
        Set<CallerTraffic> candidates = new LinkedHashSet<>(interval.mostRefused(CANDIDATES));
        candidates.addAll(interval.nearestLimit(CANDIDATES));
        candidates.addAll(interval.mostCalling(CANDIDATES));
        for (CallerTraffic caller : interval.callers()) {
            ClientRow row = rows.get(new Key(caller.endpoint(), caller.subjects()));
            if (row == null && candidates.contains(caller)) {
                row = new ClientRow(++lastId, caller);
                rows.put(new Key(caller.endpoint(), caller.subjects()), row);
            }
            if (row != null) {
                row.put(bucket, caller, generation);
            }
        }
    }

    /** Leaves those who weigh most. A newcomer that is dropped at once was never told of. */
    private void dropLightest() {
        if (rows.size() <= MOST_ROWS) {
            return;
        }
        rows.values().forEach(row -> row.weigh(lastBucket));
        List<Map.Entry<Key, ClientRow>> lightest = rows.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> entry.getValue().weight))
                .limit(rows.size() - MOST_ROWS)
                .toList();
        lightest.forEach(entry -> {
            gone.add(entry.getValue().id);
            rows.remove(entry.getKey());
        });
    }

    /** What was the shortest limit of these need not be there any more. */
    synchronized void forgetShortestLimits(ChangedLimits changed) {
        rows.forEach((key, row) -> {
            if (changed.concern(key.endpoint, key.caller)) {
                row.forgetShortest();
            }
        });
    }

    /** Everybody, with all of their history. */
    synchronized List<ClientData> clients() {
        return rows.values().stream()
                .sorted(Comparator.comparingInt(row -> row.id))
                .map(row -> row.data(lastBucket - OutcomeBuckets.KEPT + 1, lastBucket))
                .toList();
    }

    /** What has changed is told, and begins anew. */
    synchronized void beginGeneration() {
        generation++;
        gone = new ArrayList<>();
    }

    /** Those who have changed in this generation, with their last intervals. */
    synchronized List<ClientData> changedClients() {
        return rows.values().stream()
                .filter(row -> row.changedIn == generation)
                .sorted(Comparator.comparingInt(row -> row.id))
                .map(row -> row.data(lastBucket - 1, lastBucket))
                .toList();
    }

    /** Those that are no more, of this generation. */
    synchronized List<Integer> gone() {
        return List.copyOf(gone);
    }

    synchronized List<EndpointCounts> endpoints(boolean all) {
        List<EndpointCounts> counts = new ArrayList<>();
        endpoints.forEach((id, buckets) -> counts.add(new EndpointCounts(
                id, buckets.between(all ? lastBucket - OutcomeBuckets.KEPT + 1 : lastBucket - 1, lastBucket))));
        return counts;
    }

    /** Who this row is of; {@code null} if there is none. */
    synchronized @Nullable List<Subject> caller(int id) {
        return rows.values().stream()
                .filter(row -> row.id == id)
                .map(ClientRow::caller)
                .findFirst()
                .orElse(null);
    }
}
