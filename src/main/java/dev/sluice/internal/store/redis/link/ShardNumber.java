package dev.sluice.internal.store.redis.link;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of shards over which a cluster spreads its counters. The cluster stores the number, and all instances
 * follow it: an instance asks before its first exchange, and then every two seconds. If no number is stored, a cluster
 * with data has 64 shards, and an empty one gets the number that the instance wants. The number can only change if the
 * cluster loses its data. Then all keys change, so the counts are lost, and instances report them again. Thread-safe.
 */
public final class ShardNumber {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    /** Enough for four masters, and spread evenly over three; docs/stores.md says what more masters need. */
    public static final int BY_DEFAULT = 8;

    private static final String KEY = "sluice:{0}:!shards";
    /** The key that says since when there have been data of the first of 64 shards. */
    private static final String BIRTH = "sluice:{0}:!birth";

    private static final Duration EVERY = Duration.ofSeconds(2);

    /**
     * Returns the stored number; stores one if there is none. KEYS: the number, and the birth of shard 0. ARGV: the
     * number to store, 1 if existing data without a number mean 64 shards, and the time to live in milliseconds, as in
     * batch.lua.
     */
    private static final String ASK = """
            local known = redis.pcall('GETRANGE', KEYS[1], 0, 2)
            for power = 0, 6 do
              if known == tostring(2 ^ power) then return known end
            end
            local birth = redis.pcall('GETRANGE', KEYS[2], 0, 0)
            local number = ARGV[2] == '1' and birth ~= '' and '64' or ARGV[1]
            redis.call('SET', KEYS[1], number, 'PX', ARGV[3])
            return number
            """;

    private static final Set<String> NUMBERS = Set.of("1", "2", "4", "8", "16", "32", "64");

    private static final String TTL = String.valueOf(Duration.ofDays(11 * 366).toMillis());

    private final RedisAddress address;
    private final LongSupplier nanoClock;
    private final AtomicLong nextNanos;
    /** The number in force; 0 before the first answer. */
    private volatile int number;
    /** The number of shards for which the last batch of each sender was answered. */
    private final Map<String, Integer> answered = new ConcurrentHashMap<>();

    /** The number that a cluster stores, without storing one; 64 if there is none. */
    public static CompletionStage<Integer> kept(RedisClusterAsyncCommands<String, String> redis, boolean cluster) {
        return cluster
                ? read(redis).thenApply(found -> found > 0 ? found : CounterKey.SHARDS)
                : CompletableFuture.completedFuture(CounterKey.SHARDS);
    }

    public ShardNumber(RedisAddress address, LongSupplier nanoClock) {
        this.address = address;
        this.nanoClock = nanoClock;
        this.nextNanos = new AtomicLong(nanoClock.getAsLong());
        this.number = address.kind() == RedisAddress.Kind.CLUSTER ? 0 : CounterKey.SHARDS;
    }

    /** The number of shards. Asks the cluster if it is unknown, or if it is time to. */
    public CompletionStage<Integer> get(RedisClusterAsyncCommands<String, String> redis) {
        int known = number;
        if (address.kind() != RedisAddress.Kind.CLUSTER) {
            return CompletableFuture.completedFuture(known);
        }
        if (known == 0) {
            return ask(redis);
        }
        long now = nanoClock.getAsLong();
        long next = nextNanos.get();
        return now - next >= 0 && nextNanos.compareAndSet(next, now + EVERY.toNanos())
                ? ask(redis)
                : CompletableFuture.completedFuture(known);
    }

    private CompletionStage<Integer> ask(RedisClusterAsyncCommands<String, String> redis) {
        nextNanos.set(nanoClock.getAsLong() + EVERY.toNanos());
        int known = number;
        int asked = address.shards();
        int wanted = known > 0 ? known : asked > 0 ? asked : BY_DEFAULT;
        CompletionStage<Integer> kept = known > 0
                ? read(redis)
                : CompletableFuture.completedFuture(0); // the first call may have to store a number
        return kept.thenCompose(found -> found > 0
                        ? CompletableFuture.completedFuture(found)
                        : redis.<String>eval(
                                        ASK,
                                        ScriptOutputType.VALUE,
                                        new String[] {KEY, BIRTH},
                                        String.valueOf(wanted),
                                        known > 0 ? "0" : "1",
                                        TTL)
                                .thenApply(Integer::valueOf))
                .thenApply(this::follow);
    }

    /** The stored number; 0 if there is none, or if it is invalid. */
    private static CompletionStage<Integer> read(RedisClusterAsyncCommands<String, String> redis) {
        return redis.getrange(KEY, 0, 2)
                .thenApply(text -> text != null && NUMBERS.contains(text) ? Integer.parseInt(text) : 0)
                .exceptionallyCompose(failure -> RedisFailure.isAnswer(failure)
                        ? CompletableFuture.completedStage(0) // a value of another type
                        : CompletableFuture.failedStage(failure));
    }

    private synchronized int follow(int found) {
        int before = number;
        number = found;
        int asked = address.shards();
        if (before == 0 && asked > 0 && asked != found) {
            LOG.warn(
                    "{} spreads its counters over {} shards, not over {} as the store uri says, and this instance "
                            + "follows. docs/stores.md says how to change the number",
                    address,
                    found,
                    asked);
        } else if (before > 0 && before != found) {
            LOG.warn(
                    "{} now spreads its counters over {} shards instead of {}: this instance follows, and reports "
                            + "its counts again",
                    address,
                    found,
                    before);
        }
        return found;
    }

    /** Converts the reply to a batch for this number of shards to the limiter's shards. */
    public Batch.Reply reply(Batch batch, int shards, Batch.Reply reply) {
        Integer before = answered.put(batch.instance(), shards);
        boolean isMoved = before != null && before != shards;
        return new Batch.Reply(
                reply.nowMillis(),
                reply.appliedMillis(),
                reply.grants(),
                isMoved
                        ? List.of(new Loss(Loss.ALL_SHARDS, 0))
                        : reply.losses().stream()
                                .flatMap(loss -> named(loss, shards).stream())
                                .toList(),
                reply.fleet());
    }

    /** The loss of one shard, as the losses of all the limiter's shards in it. */
    private static List<Loss> named(Loss loss, int shards) {
        return loss.shard() == Loss.ALL_SHARDS
                ? List.of(loss)
                : IntStream.iterate(loss.shard(), shard -> shard < CounterKey.SHARDS, shard -> shard + shards)
                        .mapToObj(shard -> new Loss(shard, loss.afterSequence()))
                        .toList();
    }
}
