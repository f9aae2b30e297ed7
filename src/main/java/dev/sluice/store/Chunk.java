package dev.sluice.store;

import dev.sluice.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The part of a batch that one script call applies. A batch is always cut the same way, so a resent one meets the
 * records of its first sending.
 *
 * @param record the key of what this chunk was told
 * @param firstRecord the record of the first chunk for the same node, which every later batch overwrites
 * @param places where its claims stand in the batch
 */
record Chunk(String record, String firstRecord, List<Integer> places) {

    /** How many claims one script call applies, so that it holds Redis for well under a millisecond; see docs/stores.md. */
    static final int CLAIMS = 200;

    /** Cuts a batch for one Redis: by length alone. */
    static List<Chunk> ofAll(Batch batch) {
        List<Integer> places = new ArrayList<>(batch.claims().size());
        for (int i = 0; i < batch.claims().size(); i++) {
            places.add(i);
        }
        return cut(batch.instance(), 0, places);
    }

    /** Cuts a batch for a cluster: by shard, then by length. */
    static List<Chunk> byShard(Batch batch) {
        if (batch.claims().isEmpty()) {
            return ofAll(batch);
        }
        TreeMap<Integer, List<Integer>> shards = new TreeMap<>();
        for (int i = 0; i < batch.claims().size(); i++) {
            int shard = batch.claims().get(i).key().shard();
            shards.computeIfAbsent(shard, any -> new ArrayList<>()).add(i);
        }
        List<Chunk> chunks = new ArrayList<>();
        shards.forEach((shard, places) -> chunks.addAll(cut(batch.instance(), shard, places)));
        return chunks;
    }

    /** At least one chunk, even of nothing: the store's clock is worth asking for. */
    private static List<Chunk> cut(String instance, int shard, List<Integer> places) {
        List<Chunk> chunks = new ArrayList<>();
        String first = record(instance, shard, 0);
        for (int from = 0; from == 0 || from < places.size(); from += CLAIMS) {
            List<Integer> part = places.subList(from, Math.min(from + CLAIMS, places.size()));
            chunks.add(new Chunk(record(instance, shard, chunks.size()), first, part));
        }
        return chunks;
    }

    /** No counter's key has an exclamation mark. The instance stands last, so it needs no escaping. */
    private static String record(String instance, int shard, int number) {
        return "sluice:{" + shard + "}:!answer:" + number + ':' + instance;
    }
}
