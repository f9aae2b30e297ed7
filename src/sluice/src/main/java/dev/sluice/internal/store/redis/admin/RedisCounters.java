package dev.sluice.internal.store.redis.admin;

import dev.sluice.CounterKey;
import dev.sluice.internal.store.admin.CounterNames;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisLink;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads counters in Redis for operators. Reading a counter does not change its count, shares or expiry time. Requests
 * never wait for these operations. Thread-safe.
 */
public final class RedisCounters implements LiveCounters {

    /** The approximate number of keys that Redis scans per step. If it is larger, each step blocks Redis for longer. */
    private static final int STEP = 500;

    /**
     * Matches the keys of counters. If the pattern contained more asterisks, Redis would try all combinations for every
     * key.
     */
    private static final ScanArgs COUNTERS =
            ScanArgs.Builder.matches("sluice:{*").limit(STEP);

    private final RedisLink link;
    private final boolean cluster;

    /** Creates a reader that uses the given link. {@link #close} also closes the link. */
    public RedisCounters(RedisLink link) {
        this.link = link;
        this.cluster = link.address().kind() == RedisAddress.Kind.CLUSTER;
    }

    /** A position in the scan of the Redis keys. */
    private record Step(ScanCursor cursor) implements Position {}

    @Override
    public CompletionStage<Long> nowMillis() {
        return link.send(redis -> redis.time()
                .thenApply(time -> Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000));
    }

    @Override
    public CompletionStage<Page> scan(Position from) {
        ScanCursor cursor = from instanceof Step step ? step.cursor() : ScanCursor.INITIAL;
        return link.send(redis -> redis.scan(cursor, COUNTERS).thenApply(RedisCounters::found));
    }

    private static Page found(KeyScanCursor<String> step) {
        List<CounterKey> keys = step.getKeys().stream()
                .flatMap(key -> CounterNames.parse(key).stream())
                .toList();
        return new Page(keys, step.isFinished() ? Optional.empty() : Optional.of(new Step(step)));
    }

    @Override
    public CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld) {
        return link.send(redis -> {
            CompletableFuture<Map<String, HeldShares>> held = withHeld
                    ? HeldShares.read(redis, cluster, counters, nowMillis)
                    : CompletableFuture.completedFuture(Map.of());
            return held.thenCombine(
                    CounterContents.read(redis, counters, nowMillis),
                    (shares, contents) -> counters.stream()
                            .map(counter -> new Look(
                                    contents.grant(counter, key -> shares.getOrDefault(key.text(), HeldShares.NOTHING)),
                                    counter.keys()
                                            .map(key -> shares.getOrDefault(key.text(), HeldShares.NOTHING))
                                            .flatMap(one -> one.lapsed().stream())
                                            .toList()))
                            .toList());
        });
    }

    @Override
    public void close() {
        link.close();
    }
}
