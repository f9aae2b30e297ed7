package dev.sluice.internal.store.redis.script;

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
 * Detects lost data, by remembering the last batch that Redis answered for each sender and shard. Redis has lost data
 * in three cases: it knows only an earlier batch; it knows no batch, and all its data are younger than the answer; or
 * it knows no batch although the first one was sent just now, so that a lagging replica may have become master. In any
 * other case, a missing record was evicted or has expired. Thread-safe.
 */
public final class AnsweredBatches {

    /** How far a replica may lag behind. For this time, empty batches go to all shards that had statements. */
    private static final Duration RECENT = Duration.ofSeconds(50);

    /** The pause between questions to shards without statements, which find out whether data was lost. */
    private static final Duration IDLE_BETWEEN = Duration.ofSeconds(10);

    /** How long after the last statement to continue these questions. */
    private static final Duration ASKED_FOR = Duration.ofDays(1);

    private final LongSupplier nanoClock;
    /** The answered batches, by the key of the record. */
    private final Map<String, Answered> last = new ConcurrentHashMap<>();

    /**
     * An answered batch.
     *
     * @param recorded the last batch that Redis must know
     * @param found the store's knowledge about earlier batches at that time
     * @param nanos when it was answered
     * @param begunNanos when Redis created the record
     * @param statedNanos when the last batch with statements was answered
     * @param bornMillis since when Redis has had data of the shard, according to its latest answer; for the same data
     *     it never grows
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
            long statedNanos,
            long bornMillis) {}

    /**
     * The knowledge of Redis when it answered a batch.
     *
     * @param sequence the sender's last recorded batch; 0 if none
     * @param birthMillis since when Redis has had data of the shard, if no batch is recorded; otherwise 0
     * @param answeredMillis when Redis answered, by its clock
     * @param isRecorded whether Redis has recorded the answered batch; if not, the batch has changed nothing
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

    /** The data that Redis has lost, judging by its answer; {@code null} if it has lost none. */
    @Nullable Loss loss(Batch batch, Chunk chunk, KnownBatches found) {
        Answered known = last.get(chunk.record());
        if (known == null) {
            return null;
        }
        if (known.sequence == batch.sequence() && known.found.isSameAs(found)) {
            return known.loss;
        }
        if (found.birthMillis > (known.bornMillis > 0 ? known.bornMillis : known.found.answeredMillis)) {
            return new Loss(chunk.shard(), 0);
        }
        boolean mustBeKnown =
                found.sequence > 0 || isRecent(known.begunNanos); // otherwise the record has expired or was evicted
        return mustBeKnown && found.sequence < known.recorded ? new Loss(chunk.shard(), found.sequence) : null;
    }

    /** Remembers that a whole batch was answered, with the knowledge of Redis before this chunk. */
    void add(Batch batch, Chunk chunk, KnownBatches found) {
        long now = nanoClock.getAsLong();
        Loss loss = loss(batch, chunk, found);
        last.compute(chunk.record(), (record, known) -> {
            long statedBefore = known == null ? now - ASKED_FOR.toNanos() : known.statedNanos;
            long stated = chunk.positions().isEmpty() ? statedBefore : now;
            long begun = known == null || found.sequence == 0 ? now : known.begunNanos;
            long recorded = found.isRecorded ? batch.sequence() : found.sequence;
            long born = known == null || found.birthMillis > 0 ? found.birthMillis : known.bornMillis;
            return new Answered(
                    batch.instance(), chunk.shard(), batch.sequence(), recorded, found, loss, now, begun, stated, born);
        });
    }

    /**
     * The shards that are asked for lost data although there are no statements for them. These are the shards that got
     * statements from this instance in the last day, but nothing for some seconds. For an empty batch, shards with
     * recent statements are asked too.
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
