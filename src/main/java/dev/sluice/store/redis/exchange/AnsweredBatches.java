package dev.sluice.store.redis.exchange;

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
 * The last batch that Redis has answered, of each sender and shard. Redis has lost data if it knows only of an earlier
 * one, or of none while all its data are younger than that answer, or of none though the record was begun lately: a
 * replica may lag behind so far. An older record that is gone alone has expired or was evicted. Safe for many threads.
 */
public final class AnsweredBatches {

    /** A record lives for 60 seconds; the rest is for answers that took long to arrive. */
    private static final Duration REMEMBERED = Duration.ofSeconds(50);

    /**
     * Shards to which nothing is sent are asked as often, so that their losses are noticed, for so long after the last
     * claim.
     */
    private static final Duration IDLE_BETWEEN = Duration.ofSeconds(10);

    private static final Duration ASKED_FOR = Duration.ofHours(1);

    private final LongSupplier nanoClock;
    /** By the key of the record. */
    private final Map<String, Answered> last = new ConcurrentHashMap<>();

    /**
     * A batch that was answered.
     *
     * @param found what Redis knew of earlier batches then
     * @param nanos when it was answered
     * @param begunNanos when Redis began the record
     * @param claimedNanos when the last one was answered that had claims
     */
    private record Answered(
            String instance,
            int shard,
            long sequence,
            Found found,
            @Nullable Loss loss,
            long nanos,
            long begunNanos,
            long claimedNanos) {}

    /**
     * What Redis knew when it answered a batch.
     *
     * @param sequence the sender's last batch that there was a record of; 0 if none
     * @param birthMillis since when it has had data of the shard, where it knew of no batch; 0 where it did
     * @param answeredMillis when it answered, by its clock
     */
    record Found(long sequence, long birthMillis, long answeredMillis) {

        /** Whether this is the same answer once more. */
        boolean isSameAs(Found other) {
            return sequence == other.sequence && birthMillis == other.birthMillis;
        }
    }

    public AnsweredBatches(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** What Redis has lost if this is what it knew; {@code null} if nothing. */
    @Nullable Loss loss(Batch batch, Chunk chunk, Found found) {
        Answered known = last.get(chunk.record());
        if (known == null) {
            return null;
        }
        if (known.sequence == batch.sequence() && known.found.isSameAs(found)) {
            return known.loss;
        }
        boolean mustBeKnown = found.sequence > 0 || (isOfLate(known.nanos) && isOfLate(known.begunNanos));
        boolean isLost = mustBeKnown
                ? found.sequence < known.sequence
                : found.birthMillis > known.found.answeredMillis; // the record may have expired, or was evicted
        return isLost ? new Loss(chunk.shard(), found.sequence) : null;
    }

    /** Notes that a whole batch was answered, and what was found before it in the record of this chunk. */
    public void add(Batch batch, Chunk chunk, Found found) {
        long now = nanoClock.getAsLong();
        Loss loss = loss(batch, chunk, found);
        last.compute(chunk.record(), (record, known) -> {
            long claimedBefore = known == null ? now - ASKED_FOR.toNanos() : known.claimedNanos;
            long claimed = chunk.positions().isEmpty() ? claimedBefore : now;
            long begun = known == null || found.sequence == 0 ? now : known.begunNanos;
            return new Answered(batch.instance(), chunk.shard(), batch.sequence(), found, loss, now, begun, claimed);
        });
    }

    /**
     * The shards to look at for losses, though this instance has no claims for them: those to which it sent claims
     * within the last hour, and nothing for some seconds; with an empty batch also those to which it sent claims of
     * late.
     */
    public Set<Integer> shardsToLookAt(String instance, boolean emptyBatch) {
        Set<Integer> shards = new HashSet<>();
        Set<Integer> fresh = new HashSet<>();
        long now = nanoClock.getAsLong();
        for (Answered known : last.values()) {
            if (known.instance.equals(instance) && now - known.claimedNanos < ASKED_FOR.toNanos()) {
                boolean isIdle = now - known.nanos >= IDLE_BETWEEN.toNanos();
                (isIdle || (emptyBatch && isOfLate(known.claimedNanos)) ? shards : fresh).add(known.shard);
            }
        }
        if (!emptyBatch) {
            shards.removeAll(fresh); // one of several chunks was answered just now
        }
        return shards;
    }

    private boolean isOfLate(long nanos) {
        return nanoClock.getAsLong() - nanos < REMEMBERED.toNanos();
    }
}
