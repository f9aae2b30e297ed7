package dev.sluice.store.redis.operator;

import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.operated.LiveCounter;
import dev.sluice.store.redis.exchange.Chunk;
import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads what instances hold unspent of counters. */
final class HeldShares {

    private static final Pattern SHARE = Pattern.compile("\n(\\d{1,15}) (\\d{1,15}) ");

    private final RedisClusterAsyncCommands<String, String> redis;
    private final boolean cluster;

    HeldShares(RedisClusterAsyncCommands<String, String> redis, boolean cluster) {
        this.redis = redis;
        this.cluster = cluster;
    }

    /**
     * What is held of one counter.
     *
     * @param alive the permits of instances whose lease is valid
     * @param lapsed the permits of instances whose lease has ended: Redis counts them as used until the next claim
     */
    record Held(long alive, long lapsed) {

        static final Held NOTHING = new Held(0, 0);

        private Held and(Held other) {
            return new Held(alive + other.alive, lapsed + other.lapsed);
        }
    }

    /** The answer if it is not read. */
    static CompletableFuture<List<Held>> unknown(List<LiveCounter> counters) {
        return CompletableFuture.completedFuture(Collections.nCopies(counters.size(), Held.NOTHING));
    }

    /** What is held of each of these counters. */
    CompletableFuture<List<Held>> of(List<LiveCounter> counters, long nowMillis) {
        Map<Integer, List<Integer>> byShard = IntStream.range(0, counters.size())
                .filter(place -> !(counters.get(place).rule() instanceof Rule.Places)) // these contain it themselves
                .boxed()
                .collect(Collectors.groupingBy(
                        place -> cluster ? counters.get(place).key().shard() : 0, TreeMap::new, Collectors.toList()));
        Held[] held = new Held[counters.size()];
        Arrays.fill(held, Held.NOTHING);
        List<CompletableFuture<?>> asked = new ArrayList<>();
        byShard.forEach((shard, places) -> asked.add(ofShard(shard, counters, places, nowMillis, held)));
        return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> List.of(held));
    }

    private CompletableFuture<?> ofShard(
            int shard, List<LiveCounter> counters, List<Integer> places, long nowMillis, Held[] held) {
        String[] fields =
                places.stream().map(place -> counters.get(place).key().text()).toArray(String[]::new);
        return redis.hmget(Chunk.shares(shard), fields)
                .thenAccept(found -> add(found, places, nowMillis, held))
                .toCompletableFuture();
    }

    private static void add(List<KeyValue<String, String>> found, List<Integer> places, long nowMillis, Held[] held) {
        synchronized (held) {
            for (int i = 0; i < found.size(); i++) {
                Matcher share = SHARE.matcher(found.get(i).getValueOrElse(""));
                while (share.find()) {
                    long permits = Long.parseLong(share.group(1));
                    boolean lives = Long.parseLong(share.group(2)) > nowMillis;
                    int place = places.get(i);
                    held[place] = held[place].and(lives ? new Held(permits, 0) : new Held(0, permits));
                }
            }
        }
    }
}
