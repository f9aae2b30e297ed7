package dev.sluice.internal.store.redis.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.redis.connection.RedisLink;
import dev.sluice.internal.store.redis.connection.ShortFields;
import dev.sluice.internal.store.redis.script.Chunk;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The unused permits of one counter that instances hold.
 *
 * @param alive the permits of instances whose lease is valid
 * @param lapsed the permits of instances whose lease has expired; Redis counts them as used until the next statement
 */
record HeldShares(long alive, long lapsed) {

    static final HeldShares NOTHING = new HeldShares(0, 0);

    /** The same bound as in {@code batch.lua}. */
    private static final int LONGEST = 1 << 18;

    private static final Pattern SHARE = Pattern.compile("\n(\\d{1,15}) (\\d{1,15}) ");

    /** Reads what instances hold of these counters, by the text of their keys. Missing counters have no entry. */
    static CompletableFuture<Map<String, HeldShares>> read(
            RedisClusterAsyncCommands<String, String> redis,
            boolean cluster,
            List<LiveCounter> counters,
            long nowMillis) {
        Map<Integer, List<String>> fields = counters.stream()
                .filter(counter -> !(counter.rule() instanceof Rule.Slots)) // these contain what is held themselves
                .map(LiveCounter::key)
                .collect(Collectors.groupingBy(
                        key -> cluster ? key.shard() : 0,
                        TreeMap::new,
                        Collectors.mapping(CounterKey::text, Collectors.toList())));
        Map<String, HeldShares> held = new ConcurrentHashMap<>();
        List<CompletionStage<Boolean>> asked = new ArrayList<>();
        fields.forEach((shard, names) -> asked.add(ShortFields.values(redis, Chunk.shares(shard), names, LONGEST)
                .thenApply(values -> {
                    for (int i = 0; i < names.size(); i++) {
                        if (values.get(i) instanceof String field) {
                            held.put(names.get(i), of(field, nowMillis));
                        }
                    }
                    return true;
                })));
        return RedisLink.all(asked).thenApply(done -> held);
    }

    private static HeldShares of(String field, long nowMillis) {
        long alive = 0;
        long lapsed = 0;
        Matcher share = SHARE.matcher(field);
        while (share.find()) {
            long permits = Long.parseLong(share.group(1));
            boolean lives = Long.parseLong(share.group(2)) > nowMillis;
            alive += lives ? permits : 0;
            lapsed += lives ? 0 : permits;
        }
        return new HeldShares(alive, lapsed);
    }
}
