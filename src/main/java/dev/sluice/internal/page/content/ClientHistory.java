package dev.sluice.internal.page.content;

import dev.sluice.Subject;
import dev.sluice.internal.page.content.PageData.ClientData;
import dev.sluice.internal.page.content.PageData.RefusalData;
import dev.sluice.limits.Standing;
import dev.sluice.tier.Limit;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.CallerTraffic.Refusal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One client at one endpoint, with its history. Not thread-safe: {@link TrafficHistory} guards it. */
final class ClientHistory {

    private static final int MOST_REFUSALS = 10;
    private static final long REFUSAL_WEIGHT = 10;
    /**
     * The used part of a limit from which a client counts as near it. Such clients are kept in preference to others.
     */
    private static final double NEAR = 0.8;

    private static final long NEAR_WEIGHT = 1000;

    final int id;
    final OutcomeBuckets buckets = new OutcomeBuckets();
    private CallerTraffic latest;
    /** The latest state in the tier with the shortest period; charts draw its limit as a line. */
    private CallerTraffic shortest;

    /** What is used since an operator ended a block; {@code null} once the client has called again. */
    private @Nullable Standing unblocked;

    private long unblockedMillis;

    private List<RefusalData> refusals = List.of();
    /** The generation of its latest change. */
    long changedIn;
    /** The last result of {@link #weigh}. */
    long weight;

    ClientHistory(int id, CallerTraffic first) {
        this.id = id;
        this.latest = first;
        this.shortest = first;
    }

    /** Adds the counts of one interval, or replaces those of the same interval if it was not yet over. */
    void put(long bucket, CallerTraffic counted, long generation) {
        boolean isChanged = buckets.put(bucket, counted.allowed(), counted.refused(), counted.wouldRefuse());
        boolean isLater = counted.lastMillis() >= latest.lastMillis() && !counted.equals(latest);
        if (isLater) {
            unblocked = counted.lastMillis() > unblockedMillis ? null : unblocked;
            latest = counted;
            shortest = isLonger(counted) ? shortest : counted;
        }
        if (isChanged || isLater) {
            changedIn = generation;
            refusals = Stream.concat(counted.lastRefusals().stream().map(ClientHistory::data), refusals.stream())
                    .distinct()
                    .sorted(Comparator.comparingLong(RefusalData::at).reversed())
                    .limit(MOST_REFUSALS)
                    .toList();
        }
    }

    /** An operator ended the client's block, which {@code latest} still reports until the client calls again. */
    void unblock(Standing now, long nowMillis, long generation) {
        if (latest.tier().equals(now.tier().name())) {
            unblocked = now;
            unblockedMillis = nowMillis;
            changedIn = generation;
        }
    }

    private long used() {
        return unblocked == null ? latest.used() : Math.max(0, latest.capacity() - unblocked.remaining());
    }

    private static RefusalData data(Refusal refusal) {
        Limit limit = refusal.tier().limit();
        return new RefusalData(
                refusal.atMillis(),
                refusal.tier().name(),
                limit.threshold(),
                limit.period().toMillis(),
                limit.capacity(),
                limit.hasQueue());
    }

    private boolean isLonger(CallerTraffic counted) {
        boolean knowsPeriod = shortest.periodMillis() > 0;
        return knowsPeriod && (counted.periodMillis() == 0 || counted.periodMillis() > shortest.periodMillis());
    }

    /** The limits may have changed: the tier with the shortest period may no longer exist. */
    void forgetShortest() {
        shortest = latest;
    }

    /** Computes how much the client matters to readers; the least important clients are dropped first. */
    void weigh(long bucket) {
        weight = buckets.weight(bucket, REFUSAL_WEIGHT) + (isNear() ? NEAR_WEIGHT : 0);
    }

    private boolean isNear() {
        return used() >= NEAR * latest.capacity();
    }

    long lastMillis() {
        return latest.lastMillis();
    }

    List<Subject> caller() {
        return latest.subjects();
    }

    ClientData data(long firstBucket, long lastBucket) {
        return new ClientData(
                id,
                latest.name().isEmpty() ? null : latest.name(),
                latest.subjects(),
                latest.endpoint(),
                latest.tier(),
                latest.limit(),
                latest.periodMillis(),
                shortest.tier(),
                shortest.limit(),
                shortest.periodMillis(),
                latest.capacity(),
                latest.hasQueue(),
                used(),
                unblocked == null ? latest.resetAtMillis() : unblockedMillis + unblocked.resetAfterMillis(),
                latest.lastMillis(),
                refusals,
                buckets.between(firstBucket, lastBucket));
    }
}
