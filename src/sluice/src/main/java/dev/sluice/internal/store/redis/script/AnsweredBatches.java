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
 * Detects when Redis has lost data. For each sender and shard, this class remembers the last batch to which Redis has
 * replied. Redis has lost data in three cases. First, Redis only has a record of a batch before that one. Second, Redis
 * has no record, and all its data is more recent than its last reply. Third, Redis has no record although the first
 * batch was sent recently. In this case, a lagging replica has probably become master. In all other cases, a missing
 * record has been evicted or has expired. Thread-safe.
 */
public final class AnsweredBatches {

    /**
     * The maximum replica lag that this class allows for. After its last statements, a shard also receives empty
     * batches for this long.
     */
    private static final Duration RECENT = Duration.ofSeconds(50);

    /** The pause between checks of whether an idle shard has lost data. */
    private static final Duration IDLE_BETWEEN = Duration.ofSeconds(10);

    /** How long an idle shard is checked after its last statement. */
    private static final Duration ASKED_FOR = Duration.ofDays(1);

    private final LongSupplier nanoClock;
    /** The last batches with a reply, by the name of the record. */
    private final Map<String, Answered> last = new ConcurrentHashMap<>();

    /**
     * A batch to which Redis has replied.
     *
     * @param recorded the sequence number of the last batch that Redis must have a record of
     * @param found what Redis had recorded about earlier batches when it replied
     * @param nanos when the reply arrived
     * @param begunNanos when Redis created the record
     * @param statedNanos when the reply to the last batch that contained statements arrived
     * @param bornMillis when Redis first had data for the shard, according to its latest reply. As long as the data is
     *     the same, this time never increases
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
     * What Redis had recorded at the time of its reply to a batch.
     *
     * @param sequence the sequence number of the sender's last recorded batch; 0 if there is none
     * @param birthMillis when Redis first had data for the shard; 0 if a batch is recorded
     * @param answeredMillis when Redis replied, by its own clock
     * @param isRecorded whether Redis has recorded the batch. If not, the batch has not changed any data
     */
    record KnownBatches(long sequence, long birthMillis, long answeredMillis, boolean isRecorded) {

        /** Whether both records come from the same reply. */
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
                found.sequence > 0 || isRecent(known.begunNanos); // otherwise, the record has expired or was evicted
        return mustBeKnown && found.sequence < known.recorded ? new Loss(chunk.shard(), found.sequence) : null;
    }

    /** Records that Redis has replied to a whole batch, and what it had recorded before it applied the given chunk. */
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
     * The shards to check for lost data even though the batch contains no statements for them. These are the shards
     * that have received statements from this instance within the last day, but no batches within the last few seconds.
     * If the batch is empty, they also include the shards with recent statements.
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
