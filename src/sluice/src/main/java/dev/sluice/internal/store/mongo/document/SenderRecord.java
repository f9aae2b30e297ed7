package dev.sluice.internal.store.mongo.document;

import dev.sluice.exchange.Batch;
import java.time.Duration;
import java.time.Instant;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The store's record of one instance. It contains the sequence number of the instance's last batch that changed any
 * data. A batch with a smaller number is stale. If the instance remembers a confirmed batch with a larger number, the
 * store must have lost data.
 *
 * @param versionFound the version of the document; {@link Versions#NONE} if there is none
 * @param sequence the sequence number of the last batch; {@link #NO_BATCH} if unknown
 * @param before the sequence number of the batch before that one; {@link #NO_BATCH} if unknown. If the last batch is
 *     being resent, this is the batch that was recorded before the first attempt
 */
record SenderRecord(String instance, @Nullable Object versionFound, long sequence, long before) {

    static final long NO_BATCH = -1;

    /** How long a record remains stored after its last change. */
    static final Duration LIFE = Duration.ofHours(1);

    private static final String PREFIX = "!sender:";
    private static final String SEQUENCE = "sequence";
    private static final String BEFORE = "before";

    /** The id of the document. No counter id starts with an exclamation mark, so the ids cannot collide. */
    static String id(String instance) {
        return PREFIX + instance;
    }

    static SenderRecord absent(String instance) {
        return new SenderRecord(instance, Versions.NONE, NO_BATCH, NO_BATCH);
    }

    static SenderRecord of(String instance, Document found, long nowMillis) {
        Object version = found.get(CounterDocument.VERSION);
        try {
            return DocumentFields.time(found, CounterDocument.EXPIRE) > nowMillis
                    ? new SenderRecord(
                            instance,
                            version,
                            DocumentFields.number(found, SEQUENCE),
                            DocumentFields.number(found, BEFORE))
                    : new SenderRecord(instance, version, NO_BATCH, NO_BATCH);
        } catch (IllegalArgumentException | ClassCastException e) {
            return new SenderRecord(instance, version, NO_BATCH, NO_BATCH);
        }
    }

    /** The sequence number of the last batch recorded before the given batch. */
    long lastBefore(Batch batch) {
        return sequence == batch.sequence() ? before : sequence;
    }

    /** The document to write if the given batch has changed any data. */
    Document written(Batch batch, long nowMillis) {
        return new Document(CounterDocument.ID, id(instance))
                .append(CounterDocument.VERSION, Versions.next(versionFound, nowMillis))
                .append(CounterDocument.EXPIRE, Instant.ofEpochMilli(nowMillis + LIFE.toMillis()))
                .append(SEQUENCE, batch.sequence())
                .append(BEFORE, lastBefore(batch));
    }
}
