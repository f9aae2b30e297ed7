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
 * Detects lost data by remembering the last batch to which Redis replied, for each sender and shard. Redis has lost
 * data in three cases. First, it only has a record of an earlier batch. Second, it has no record, and all its data is
 * newer than the reply. Third, it has no record although the first batch was sent recently, because a lagging replica
 * may have become master. In all other cases, a missing record was evicted or has expired. Thread-safe.
 */
public final class AnsweredBatches {

    /**
     * The maximum lag of a replica. After a shard has received statements, empty batches are also sent to it for this
     * long.
     */
    private static final Duration RECENT = Duration.ofSeconds(50);

    /** The pause between checks of idle shards for lost data. */
    private static final Duration IDLE_BETWEEN = Duration.ofSeconds(10);

    /** How long these checks continue after the last statement. */
    private static final Duration ASKED_FOR = Duration.ofDays(1);

    private final LongSupplier nanoClock;
    /** The batches with a reply, by the key of the record. */
    private final Map<String, Answered> last = new ConcurrentHashMap<>();

    /**
     * A batch to which Redis has replied.
     *
     * @param recorded the last batch of which Redis must have a record
     * @param found what Redis knew about earlier batches at that time
     * @param nanos when the reply arrived
     * @param begunNanos when Redis created the record
     * @param statedNanos when the reply to the last batch with statements arrived
     * @param bornMillis the time since which Redis has had data of the shard, according to its latest reply. For the
     *     same data, this never increases
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
     * What Redis knew when it replied to a batch.
     *
     * @param sequence the sender's last recorded batch; 0 if none
     * @param birthMillis the time since which Redis has had data of the shard; 0 if a batch is recorded
     * @param answeredMillis when Redis replied, by its clock
     * @param isRecorded whether Redis has recorded the batch. If not, the batch has changed nothing
     */
    record KnownBatches(long sequence, long birthMillis, long answeredMillis, boolean isRecorded) {

        /** Whether this is from a repetition of the same reply. */
        boolean isSameAs(KnownBatches other) {
            return sequence == other.sequence && birthMillis == other.birthMillis;
        }
    }

    public AnsweredBatches(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** The data that Redis has lost, according to its reply; {@code null} if it has lost none. */
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

    /** Records that Redis has replied to a whole batch, and what it knew before this chunk. */
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
     * The shards without statements that must be checked for lost data. These are the shards that have received
     * statements from this instance in the last day, but nothing in the last few seconds. For an empty batch, they
     * include shards with recent statements.
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
            shards.removeAll(fresh); // another chunk of the shard has just received a reply
        }
        return shards;
    }

    private boolean isRecent(long nanos) {
        return nanoClock.getAsLong() - nanos < RECENT.toNanos();
    }
}
