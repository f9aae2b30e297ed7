package dev.sluice.internal.store.redis.script;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The part of a batch that one script call applies. A given batch is always split in the same way, so that a retry
 * finds the records of the first attempt.
 *
 * @param shard the shard of the chunk's counters; {@link Loss#ALL_SHARDS} if a single Redis server stores all counters
 * @param instance the sender of the batch
 * @param number the number of the chunk within its shard, starting at 0
 * @param positions the indexes of the chunk's statements in the batch
 */
public record Chunk(int shard, String instance, int number, List<Integer> positions) {

    /**
     * The maximum number of counters that one script call reads or writes. Such a call blocks Redis for about two
     * milliseconds; see docs/stores.md.
     */
    public static final int COUNTERS = 200;

    /**
     * The maximum number of arguments for the statements of one script call. ElastiCache Serverless accepts 3,999
     * arguments per command, and each call needs a few arguments in addition to those of its statements.
     */
    private static final int ARGUMENTS = 3_900;

    /** The maximum number of arguments for a statement, excluding its uses and the keys of earlier frames. */
    private static final int ARGUMENTS_OF_A_STATEMENT = 16;

    /**
     * Splits a batch by length, for a single Redis server. The result always contains at least one chunk, because even
     * the reply to an empty chunk contains the store's current time.
     */
    public static List<Chunk> ofAll(Batch batch) {
        List<Integer> positions =
                IntStream.range(0, batch.statements().size()).boxed().toList();
        return cut(batch, Loss.ALL_SHARDS, positions);
    }

    /**
     * Splits a batch by shard and then by length, for a cluster.
     *
     * @param shardsToCheck the shards to check for lost data even if the batch contains no statements for them
     */
    public static List<Chunk> byShard(Batch batch, Collection<Integer> shardsToCheck) {
        TreeMap<Integer, List<Integer>> shards = new TreeMap<>();
        for (int i = 0; i < batch.statements().size(); i++) {
            int shard = batch.statements().get(i).key().shard();
            shards.computeIfAbsent(shard, any -> new ArrayList<>()).add(i);
        }
        shardsToCheck.forEach(shard -> shards.putIfAbsent(shard, List.of()));
        if (shards.isEmpty() || batch.presence() != Presence.NOT_STATED) {
            shards.putIfAbsent(0, List.of()); // the live instances are on shard 0
        }
        List<Chunk> chunks = new ArrayList<>();
        shards.forEach((shard, positions) -> chunks.addAll(cut(batch, shard, positions)));
        return chunks;
    }

    private static List<Chunk> cut(Batch batch, int shard, List<Integer> positions) {
        List<Chunk> chunks = new ArrayList<>();
        int from = 0;
        int counters = 0;
        int arguments = 0;
        for (int i = 0; i < positions.size(); i++) {
            Batch.Statement statement = batch.statements().get(positions.get(i));
            int moreCounters = counters(statement);
            int moreArguments = arguments(statement);
            if (i > from && (counters + moreCounters > COUNTERS || arguments + moreArguments > ARGUMENTS)) {
                chunks.add(new Chunk(shard, batch.instance(), chunks.size(), positions.subList(from, i)));
                from = i;
                counters = 0;
                arguments = 0;
            }
            counters += moreCounters;
            arguments += moreArguments;
        }
        List<Integer> remaining = positions.subList(from, positions.size());
        chunks.add(new Chunk(shard, batch.instance(), chunks.size(), remaining));
        return chunks;
    }

    private static int counters(Batch.Statement statement) {
        return 1 + (statement.rule() instanceof Rule.Frame frame ? frame.frames() : 0);
    }

    /**
     * An upper bound for the number of arguments for a statement. The bound for a given statement is always the same,
     * so a resent batch is split in the same way.
     */
    private static int arguments(Batch.Statement statement) {
        boolean isTimed = statement.rule() instanceof Rule.Bucket || statement.rule() instanceof Rule.Log;
        return ARGUMENTS_OF_A_STATEMENT
                + counters(statement)
                + (isTimed ? 2 * statement.uses().size() : 0);
    }

    /**
     * Whether this is the first chunk of its shard. Each later batch for the shard overwrites the record of the first
     * chunk.
     */
    boolean isFirst() {
        return number == 0;
    }

    /**
     * The presence that this chunk states. Only the chunk for the shard that records the live instances states the
     * sender's presence.
     */
    Presence presence(Batch batch) {
        return isFirst() && shard <= 0 ? batch.presence() : Presence.NOT_STATED;
    }

    /** The name of the record for the reply to this chunk. The name is unique across shards and instances. */
    String record() {
        return shard + ":" + number + ":" + instance;
    }

    /**
     * The key of the hash with the shard's shares and the last replies to instances. The key of a counter never
     * contains an exclamation mark, so the keys cannot collide.
     */
    String shares() {
        return shares(shard);
    }

    /** The key of the hash with a shard's shares and the last replies to instances. */
    public static String shares(int shard) {
        return prefix(shard) + "!shares";
    }

    /** The key that records when Redis first had data for the shard. */
    String birth() {
        return prefix(shard) + "!birth";
    }

    private static String prefix(int shard) {
        return "sluice:{" + CounterKey.tag(Math.max(shard, 0)) + "}:";
    }
}
