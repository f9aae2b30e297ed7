package dev.sluice.internal.store.redis.exchange;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last batch that Redis answered, for each sender and shard; detects lost data. Redis lost data if it knows only an
 * earlier batch; or none while all its data are younger than that answer; or none though it was given the first one just
 * now, which a lagging replica can explain. Otherwise a record that is missing was evicted, or has expired. Safe for many
 * threads.
 */
public final class AnsweredBatches {

    /** How far a replica may lag behind; and for how long empty batches go to all shards with statements. */
    private static final Duration RECENT = Duration.ofSeconds(50);

    /**
     * How often shards without statements are asked, so that their losses are noticed, and for how long after the last
     * statement.
     */
    private static final Duration IDLE_BETWEEN = Duration.ofSeconds(10);

    private static final Duration ASKED_FOR = Duration.ofHours(1);

    private final LongSupplier nanoClock;
    /** By the key of the record. */
    private final Map<String, Answered> last = new ConcurrentHashMap<>();

    /**
     * An answered batch.
     *
     * @param recorded the last batch that Redis must know
     * @param found what Redis knew of earlier batches then
     * @param nanos when it was answered
     * @param begunNanos when Redis began the record
     * @param statedNanos when the last batch with statements was answered
     */
    private record Answered(
            String instance,
            int shard,
            long sequence,
            long recorded,
            KnownBatches found,
            @Nullable Loss loss,
            long nanos,
            long begunNanos,
            long statedNanos) {}

    /**
     * What Redis knew when it answered a batch.
     *
     * @param sequence the sender's last batch that it had a record of; 0 if none
     * @param birthMillis since when it has data of the shard, if it has no answer to such a batch; otherwise 0
     * @param answeredMillis when it answered, by its clock
     * @param isRecorded whether it has a record of the batch that it answered, which otherwise has changed nothing
     */
    record KnownBatches(long sequence, long birthMillis, long answeredMillis, boolean isRecorded) {

        /** Whether this is a repetition of the same answer. */
        boolean isSameAs(KnownBatches other) {
            return sequence == other.sequence && birthMillis == other.birthMillis;
        }
    }

    public AnsweredBatches(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** What Redis lost if this is what it knew; {@code null} if nothing. */
    @Nullable Loss loss(Batch batch, Chunk chunk, KnownBatches found) {
        Answered known = last.get(chunk.record());
        if (known == null) {
            return null;
        }
        if (known.sequence == batch.sequence() && known.found.isSameAs(found)) {
            return known.loss;
        }
        if (found.birthMillis > known.found.answeredMillis) {
            return new Loss(chunk.shard(), 0);
        }
        boolean mustBeKnown = found.sequence > 0 || isRecent(known.begunNanos); // else it has expired, or was evicted
        return mustBeKnown && found.sequence < known.recorded ? new Loss(chunk.shard(), found.sequence) : null;
    }

    /** Records that a whole batch was answered, and what the record of this chunk had before. */
    void add(Batch batch, Chunk chunk, KnownBatches found) {
        long now = nanoClock.getAsLong();
        Loss loss = loss(batch, chunk, found);
        last.compute(chunk.record(), (record, known) -> {
            long statedBefore = known == null ? now - ASKED_FOR.toNanos() : known.statedNanos;
            long stated = chunk.positions().isEmpty() ? statedBefore : now;
            long begun = known == null || found.sequence == 0 ? now : known.begunNanos;
            long recorded = found.isRecorded ? batch.sequence() : found.sequence;
            return new Answered(
                    batch.instance(), chunk.shard(), batch.sequence(), recorded, found, loss, now, begun, stated);
        });
    }

    /**
     * The shards to ask for losses although there are no statements for them: those that got statements from this instance
     * within the last hour, and nothing for some seconds; for an empty batch also those with recent statements.
     */
    public Set<Integer> shardsToCheck(String instance, boolean emptyBatch) {
        Set<Integer> shards = new HashSet<>();
        Set<Integer> fresh = new HashSet<>();
        long now = nanoClock.getAsLong();
        for (Answered known : last.values()) {
            if (known.instance.equals(instance) && now - known.statedNanos < ASKED_FOR.toNanos()) {
                boolean isIdle = now - known.nanos >= IDLE_BETWEEN.toNanos();
                (isIdle || (emptyBatch && isRecent(known.statedNanos)) ? shards : fresh).add(known.shard);
            }
        }
        if (!emptyBatch) {
            shards.removeAll(fresh); // one of several chunks was answered just now
        }
        return shards;
    }

    private boolean isRecent(long nanos) {
        return nanoClock.getAsLong() - nanos < RECENT.toNanos();
    }
}
