package dev.sluice.internal.store.redis.admin;

import dev.sluice.CounterKey;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.cell.StoreProtocol;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.redis.connection.RedisLink;
import dev.sluice.internal.store.redis.connection.ShortFields;
import dev.sluice.internal.store.redis.script.Chunk;
import dev.sluice.internal.store.redis.script.StoredForm;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The unused permits of one counter, whether held by instances or lapsed, and the number of calls that operators have
 * given.
 *
 * @param alive the number of permits held by instances with valid leases
 * @param counted the lapsed permits that the counter already treats as used, oldest first
 * @param uncounted the permits that have lapsed since the last statement, oldest first
 * @param given the number of calls that operators have given to the window or frame
 */
record HeldShares(long alive, List<Lapsed> counted, List<Lapsed> uncounted, long given) {

    static final HeldShares NOTHING = new HeldShares(0, List.of(), List.of(), 0);

    /** Matches the first line of the field if operators have given any calls. */
    private static final Pattern GIVEN = Pattern.compile("\\d+ \\d+ \\d+ \\d+\\+" + StoredForm.NUMBER);

    /** Matches a line about an instance. The line starts with an exclamation mark if the instance's lease has ended. */
    private static final Pattern SHARE =
            Pattern.compile("\n(!?)" + StoredForm.NUMBER + " " + StoredForm.NUMBER + " ([^\n]+)");

    /**
     * Reads the held permits of the given counters and of their earlier frames. Returns these permits by the text of
     * the counter's key. Missing counters have no entry.
     */
    static CompletableFuture<Map<String, HeldShares>> read(
            RedisClusterAsyncCommands<String, String> redis,
            boolean cluster,
            List<LiveCounter> counters,
            long nowMillis) {
        Map<Integer, List<String>> fields = counters.stream()
                .filter(counter -> !(counter.rule() instanceof Rule.Slots)) // the value contains held slots
                .flatMap(LiveCounter::keys)
                .collect(Collectors.groupingBy(
                        key -> cluster ? key.shard() : 0,
                        TreeMap::new,
                        Collectors.mapping(CounterKey::text, Collectors.toList())));
        Map<String, HeldShares> held = new ConcurrentHashMap<>();
        List<CompletionStage<Boolean>> asked = new ArrayList<>();
        fields.forEach((shard, names) ->
                asked.add(ShortFields.values(redis, Chunk.shares(shard), names, StoredForm.LONGEST_FIELD)
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
        List<Lapsed> counted = new ArrayList<>();
        List<Lapsed> uncounted = new ArrayList<>();
        Matcher share = SHARE.matcher(field);
        while (share.find()) {
            boolean isLapsed = !share.group(1).isEmpty();
            long permits = Long.parseLong(share.group(2));
            long untilMillis = Long.parseLong(share.group(3));
            if (isLapsed) {
                counted.add(new Lapsed(share.group(4), permits, untilMillis));
            } else if (untilMillis > nowMillis) {
                alive += permits;
            } else if (permits > 0) {
                uncounted.add(new Lapsed(share.group(4), permits, untilMillis));
            }
        }
        uncounted.sort(Comparator.comparingLong(Lapsed::sinceMillis));
        Predicate<Lapsed> isOld = one -> one.sinceMillis() <= nowMillis - StoreProtocol.LONGEST_LAPSED.toMillis();
        counted.removeIf(isOld);
        uncounted.removeIf(isOld);
        Matcher given = GIVEN.matcher(field);
        return new HeldShares(alive, counted, uncounted, given.lookingAt() ? Long.parseLong(given.group(1)) : 0);
    }

    /** The permits that unresponsive instances held, oldest first. */
    List<Lapsed> lapsed() {
        return Stream.concat(counted.stream(), uncounted.stream()).toList();
    }

    /**
     * The lapsed permits that the counter does not yet treat as used. If Redis no longer has the count, these are all
     * lapsed permits.
     */
    List<Lapsed> uncounted(boolean isDeleted) {
        return isDeleted ? lapsed() : uncounted;
    }

    /** The sum of the held and lapsed permits. */
    long all() {
        return alive + lapsed().stream().mapToLong(Lapsed::permits).sum();
    }
}
