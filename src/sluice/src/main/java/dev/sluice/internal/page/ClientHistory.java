package dev.sluice.internal.page;

import dev.sluice.Subject;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.internal.page.PageData.ClientData;
import dev.sluice.internal.page.PageData.LineData;
import dev.sluice.internal.page.PageData.RefusalData;
import dev.sluice.limits.Standing;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.CallerTraffic.Refusal;
import dev.sluice.traffic.CallerTraffic.State;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One client at one endpoint, with its history. Not thread-safe: {@link TrafficHistory} guards it. */
final class ClientHistory {

    private static final int MOST_REFUSALS = 10;
    private static final long REFUSAL_WEIGHT = 10;
    /**
     * A client that has used this fraction of a limit is considered near its limit. Clients near a limit are retained
     * in preference to others.
     */
    private static final double NEAR = 0.8;

    private static final long NEAR_WEIGHT = 1000;

    /** Sources whose values do not identify a customer. */
    private static final Set<String> ADDRESSES = Set.of("ip", SubjectSource.LOGIN);

    /** Sources whose values do not identify a caller. */
    private static final Set<String> NOBODY = Set.of(Subject.NONE, Subject.SERVER);

    final int id;
    final OutcomeBuckets buckets = new OutcomeBuckets();
    private CallerTraffic last;
    /** The reported tier with the shortest period. Charts show its limit as a line. */
    private Tier shortest;

    /** The client's standing when an operator ended its block; {@code null} once the client has made a further call. */
    private @Nullable Standing unblocked;

    private long unblockedMillis;

    private List<RefusalData> refusals = List.of();
    /** The generation in which the client last changed. */
    long changedIn;
    /** The client's importance, as last computed by {@link #weigh}. */
    long weight;

    ClientHistory(int id, CallerTraffic first) {
        this.id = id;
        this.last = first;
        this.shortest = first.latest().tier();
    }

    /** Sets the counts for one interval. Until the interval has ended, later counts replace earlier ones. */
    void put(long bucket, CallerTraffic traffic, long generation) {
        boolean isChanged = buckets.put(
                bucket,
                traffic.calls().allowed(),
                traffic.calls().refused(),
                traffic.calls().wouldRefuse());
        boolean isLater = traffic.latest().atMillis() >= last.latest().atMillis() && !traffic.equals(last);
        if (isLater) {
            unblocked = traffic.latest().atMillis() > unblockedMillis ? null : unblocked;
            last = traffic;
            shortest = isLonger(traffic.latest().tier())
                    ? shortest
                    : traffic.latest().tier();
        }
        if (isChanged || isLater) {
            changedIn = generation;
            refusals = Stream.concat(traffic.lastRefusals().stream().map(ClientHistory::data), refusals.stream())
                    .distinct()
                    .sorted(Comparator.comparing(RefusalData::at).reversed())
                    .limit(MOST_REFUSALS)
                    .toList();
        }
    }

    /**
     * Called when an operator has ended the client's block. Until the client's next call, {@code last} still reports
     * the block.
     */
    void unblock(Standing now, long nowMillis, long generation) {
        if (last.latest().tier().name().equals(now.tier().name())) {
            unblocked = now;
            unblockedMillis = nowMillis;
            changedIn = generation;
        }
    }

    private long used() {
        return unblocked == null
                ? last.latest().used()
                : Math.max(0, last.latest().capacity() - unblocked.remaining());
    }

    private static RefusalData data(Refusal refusal) {
        Tier tier = refusal.tier();
        return new RefusalData(Instant.ofEpochMilli(refusal.atMillis()), tier.name(), TierNotation.text(tier.limit()));
    }

    private boolean isLonger(Tier tier) {
        long known = shortest.limit().period().toMillis();
        long other = tier.limit().period().toMillis();
        return known > 0 && (other == 0 || other > known);
    }

    /** Forgets the tier with the shortest period, because a change to the limits might have removed that tier. */
    void forgetShortest() {
        shortest = last.latest().tier();
    }

    /** Computes how important the client is to readers of the page. The least important clients are dropped first. */
    void weigh(long bucket) {
        weight = buckets.weight(bucket, REFUSAL_WEIGHT) + (isNear() ? NEAR_WEIGHT : 0);
    }

    private boolean isNear() {
        return used() >= NEAR * last.latest().capacity();
    }

    long lastMillis() {
        return last.latest().atMillis();
    }

    /**
     * Whether a caller is known only by its address or login, such as an attacker who looks for weak points. A caller
     * with a name in the file is a customer.
     */
    static boolean isAddress(CallerTraffic caller) {
        List<Subject> known = caller.subjects().stream()
                .filter(subject -> !NOBODY.contains(subject.source()))
                .toList();
        return caller.name().isEmpty()
                && !known.isEmpty()
                && known.stream().allMatch(subject -> ADDRESSES.contains(subject.source()));
    }

    boolean isAddress() {
        return isAddress(last);
    }

    List<Subject> caller() {
        return last.subjects();
    }

    ClientData data(long firstBucket, long lastBucket) {
        State state = last.latest();
        Limit line = shortest.limit();
        return new ClientData(
                id,
                last.name().isEmpty() ? null : last.name(),
                last.subjects(),
                isAddress(),
                last.endpoint(),
                state.tier().name(),
                TierNotation.text(state.tier().limit()),
                new LineData(
                        TierNotation.allowance(line),
                        line.threshold(),
                        line.period().toMillis()),
                state.capacity(),
                used(),
                Instant.ofEpochMilli(
                        unblocked == null ? state.resetAtMillis() : unblockedMillis + unblocked.resetAfterMillis()),
                Instant.ofEpochMilli(state.atMillis()),
                refusals,
                buckets.between(firstBucket, lastBucket));
    }
}
