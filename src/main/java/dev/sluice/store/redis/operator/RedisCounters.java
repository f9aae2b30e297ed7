package dev.sluice.store.redis.operator;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.redis.link.RedisAddress;
import dev.sluice.store.redis.link.RedisLink;
import dev.sluice.store.redis.operator.HeldShares.Held;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Looks at counters in Redis and changes nothing there: no count, no share, no time to live. For people, who look
 * seldom; requests never come here. Safe for any threads.
 */
public final class RedisCounters implements AutoCloseable {

    /** Redis looks at about so many keys in one step, during which it serves nobody else. */
    private static final int STEP = 500;

    /** No more stars: Redis would try how each of them can match, for every key. */
    private static final ScanArgs COUNTERS =
            ScanArgs.Builder.matches("sluice:{*").limit(STEP);

    private final RedisLink link;
    private final boolean cluster;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Closes the link with itself. */
    public RedisCounters(RedisLink link) {
        this.link = link;
        this.cluster = link.address().kind() == RedisAddress.Kind.CLUSTER;
    }

    /**
     * Some of the counters that there are.
     *
     * @param keys of them
     * @param next where to go on; empty at the end
     */
    public record Found(List<CounterKey> keys, Optional<Place> next) {}

    /** A place among the keys of Redis. */
    public record Place(ScanCursor cursor) {

        /** Where all keys begin. */
        public static final Place FIRST = new Place(ScanCursor.INITIAL);
    }

    /** The clock of Redis, in milliseconds since 1970. */
    public CompletionStage<Long> nowMillis() {
        return use(redis -> redis.time()
                .thenApply(time -> Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000));
    }

    /** One step through all keys. A counter may be met twice, and one that is born meanwhile be missed. */
    public CompletionStage<Found> scan(Place from) {
        return use(redis -> redis.scan(from.cursor(), COUNTERS).thenApply(RedisCounters::found));
    }

    private static Found found(KeyScanCursor<String> step) {
        List<CounterKey> keys = step.getKeys().stream()
                .flatMap(key -> CounterNames.parse(key).stream())
                .toList();
        return new Found(keys, step.isFinished() ? Optional.empty() : Optional.of(new Place(step)));
    }

    /**
     * What each counter holds, as an exchange would answer that asks for nothing: in {@link Grant#elsewhere()} what all
     * instances hold.
     *
     * @param withHeld whether to look for what is held, which takes a look at every instance; otherwise it is not known
     */
    public CompletionStage<List<Grant>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld) {
        return use(redis -> {
            CompletableFuture<List<Held>> held =
                    withHeld ? new HeldShares(redis, cluster).of(counters, nowMillis) : HeldShares.unknown(counters);
            CompletableFuture<CounterContents> contents = CounterContents.read(redis, counters, nowMillis);
            return held.thenCombine(contents, (shares, read) -> {
                List<Grant> grants = new ArrayList<>(counters.size());
                for (int i = 0; i < counters.size(); i++) {
                    grants.add(read.grant(i, shares.get(i)));
                }
                return grants;
            });
        });
    }

    private <T> CompletionStage<T> use(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> work) {
        return closed.get()
                ? CompletableFuture.failedFuture(
                        StoreException.unavailable(link.address() + " was closed by this instance", null))
                : link.use(connection -> work.apply(commands(connection)));
    }

    private static RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
        return connection instanceof StatefulRedisClusterConnection<String, String> nodes
                ? nodes.async()
                : ((StatefulRedisConnection<String, String>) connection).async();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            link.close();
        }
    }
}
