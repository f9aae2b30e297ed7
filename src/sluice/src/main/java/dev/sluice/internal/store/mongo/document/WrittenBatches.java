package dev.sluice.internal.store.mongo.document;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores, for each sender, the last confirmed batch that changed any data. If MongoDB only has a record of an earlier
 * batch, it must have lost data. This happens if the database was emptied or restored from a backup, or if a member
 * without the latest data became primary. Thread-safe.
 */
public final class WrittenBatches {

    /**
     * The time after which a missing record no longer proves a loss, because the record might have expired. The five
     * minutes allow for slow clocks.
     */
    private static final long REMEMBERED_NANOS =
            SenderRecord.LIFE.minusMinutes(5).toNanos();

    private final LongSupplier nanoClock;
    private final Map<String, Written> last = new ConcurrentHashMap<>();

    /** A batch, the times of its confirmation by both clocks, and the loss that was detected with it. */
    private record Written(
            long sequence,
            long nowMillis,
            long nanos,
            @Nullable Loss loss) {}

    public WrittenBatches(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * The data that MongoDB has lost; {@code null} if no data was lost.
     *
     * @param record MongoDB's record of the sender
     * @param birthMillis when the collection received its first data
     */
    @Nullable Loss loss(Batch batch, SenderRecord record, long birthMillis) {
        Written written = last.get(batch.instance());
        if (written != null && written.sequence == batch.sequence() && record.sequence() == batch.sequence()) {
            return written.loss; // this is a retry, so repeat the reply
        }
        long found = record.lastBefore(batch);
        if (written == null || found >= written.sequence) {
            return null;
        }
        boolean mayHaveExpired =
                found == SenderRecord.NO_BATCH && nanoClock.getAsLong() - written.nanos > REMEMBERED_NANOS;
        boolean isLost = !mayHaveExpired || birthMillis > written.nowMillis;
        return isLost ? new Loss(Loss.ALL_SHARDS, Math.max(0, found)) : null;
    }

    /** Records that a batch that changed any data was confirmed. */
    void add(Batch batch, long nowMillis, @Nullable Loss loss) {
        last.merge(
                batch.instance(),
                new Written(batch.sequence(), nowMillis, nanoClock.getAsLong(), loss),
                (before, now) ->
                        before.sequence > now.sequence ? before : now); // an earlier attempt can end after a later one
    }
}
