package dev.sluice.store.mongo.overrides;

import dev.sluice.limits.ClientOverride;
import dev.sluice.store.operated.StoredOverride;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;

/** A limit of one client as a document. */
final class OverrideDocument {

    private static final String SUBJECT = "subject";
    private static final String VALUE = "value";
    private static final String ENDPOINT = "endpoint";
    private static final String TIERS = "tiers";
    private static final String UNTIL = "until";
    static final String SET = "set";
    private static final String BY = "by";
    private static final String WHY = "why";

    private OverrideDocument() {}

    static Document of(ClientOverride limit, StoredOverride.Note note, long nowMillis) {
        Document document = new Document("_id", StoredOverride.field(limit))
                .append(SUBJECT, limit.subject())
                .append(VALUE, limit.value())
                .append(ENDPOINT, limit.endpoint())
                .append(TIERS, limit.tiers())
                .append(SET, Instant.ofEpochMilli(nowMillis))
                .append(BY, note.by())
                .append(WHY, note.why());
        return note.lasts().isZero()
                ? document
                : document.append(
                        UNTIL, Instant.ofEpochMilli(nowMillis + note.lasts().toMillis()));
    }

    /** Parses a document, as far as possible. */
    static StoredOverride read(Document found) {
        ClientOverride limit =
                new ClientOverride(text(found, SUBJECT), text(found, VALUE), text(found, ENDPOINT), text(found, TIERS));
        return new StoredOverride(limit, millis(found, UNTIL), millis(found, SET), text(found, BY), text(found, WHY));
    }

    private static String text(Document found, String field) {
        return found.get(field) instanceof String text ? text : "";
    }

    private static long millis(Document found, String field) {
        return found.get(field) instanceof Date date ? date.toInstant().toEpochMilli() : 0;
    }
}
