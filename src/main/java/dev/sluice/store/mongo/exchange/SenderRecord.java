package dev.sluice.store.mongo.exchange;

import dev.sluice.exchange.Batch;
import java.time.Duration;
import java.time.Instant;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows of one instance as a whole: its last batch that changed anything. A batch before that is
 * outdated, and an instance that knows of a later one finds that the store has lost data.
 *
 * @param versionFound of the document; {@link Versions#NONE} if there is none
 * @param sequence of the last batch; {@link #NO_BATCH} if none is known
 * @param before of the batch before that, likewise
 */
record SenderRecord(String instance, @Nullable Object versionFound, long sequence, long before) {

    static final long NO_BATCH = -1;

    /** So long after its last change the store still knows an instance. */
    static final Duration LIFE = Duration.ofHours(1);

    private static final String PREFIX = "!sender:";
    private static final String SEQUENCE = "sequence";
    private static final String BEFORE = "before";

    /** No counter's id begins with an exclamation mark. */
    static String id(String instance) {
        return PREFIX + instance;
    }

    static SenderRecord absent(String instance) {
        return new SenderRecord(instance, Versions.NONE, NO_BATCH, NO_BATCH);
    }

    static SenderRecord of(String instance, Document found, long nowMillis) {
        Object version = found.get(CounterDocument.VERSION);
        try {
            return Fields.time(found, CounterDocument.EXPIRE) > nowMillis
                    ? new SenderRecord(instance, version, Fields.number(found, SEQUENCE), Fields.number(found, BEFORE))
                    : new SenderRecord(instance, version, NO_BATCH, NO_BATCH);
        } catch (IllegalArgumentException e) {
            return new SenderRecord(instance, version, NO_BATCH, NO_BATCH);
        }
    }

    /** The last batch that was known when this one came, or came first. */
    long lastBefore(Batch batch) {
        return sequence == batch.sequence() ? before : sequence;
    }

    /** What to write when this batch has changed something. */
    Document written(Batch batch, long nowMillis) {
        return new Document(CounterDocument.ID, id(instance))
                .append(CounterDocument.VERSION, Versions.next(versionFound, nowMillis))
                .append(CounterDocument.EXPIRE, Instant.ofEpochMilli(nowMillis + LIFE.toMillis()))
                .append(SEQUENCE, batch.sequence())
                .append(BEFORE, lastBefore(batch));
    }
}
