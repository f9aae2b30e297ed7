package dev.sluice.store.mongo.exchange;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last batch of each sender that changed something and was confirmed. MongoDB has lost data if it knows of an
 * earlier one only: it was restored, emptied, or an unconfirmed member has become primary. Safe for many threads.
 */
public final class WrittenBatches {

    private static final long REMEMBERED_NANOS =
            SenderRecord.LIFE.minusMinutes(5).toNanos();

    private final LongSupplier nanoClock;
    private final Map<String, Written> last = new ConcurrentHashMap<>();

    /** One batch, when it was confirmed, and what was found lost then. */
    private record Written(
            long sequence,
            long nowMillis,
            long nanos,
            @Nullable Loss loss) {}

    public WrittenBatches(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * What was lost; {@code null} if nothing.
     *
     * @param record what MongoDB knows of the sender
     * @param birthMillis since when it has had data
     */
    @Nullable Loss loss(Batch batch, SenderRecord record, long birthMillis) {
        Written written = last.get(batch.instance());
        if (written != null && written.sequence == batch.sequence() && record.sequence() == batch.sequence()) {
            return written.loss; // it is told once more
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

    /** A batch has changed something, and that is confirmed. */
    void add(Batch batch, long nowMillis, @Nullable Loss loss) {
        last.put(batch.instance(), new Written(batch.sequence(), nowMillis, nanoClock.getAsLong(), loss));
    }
}
