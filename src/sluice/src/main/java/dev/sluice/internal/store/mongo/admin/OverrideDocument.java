package dev.sluice.internal.store.mongo.admin;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Converts client overrides to and from MongoDB documents. */
final class OverrideDocument {

    private static final String SUBJECT = "subject";
    private static final String VALUE = "value";
    private static final String ENDPOINT = "endpoint";
    private static final String TIERS = "tiers";
    private static final String UNTIL = "until";
    static final String SET = "set";
    private static final String BY = "by";
    private static final String WHY = "why";

    /** The fields that queries return. */
    static final Bson FIELDS = Projections.include(SUBJECT, VALUE, ENDPOINT, TIERS, UNTIL, SET, BY, WHY);

    /** Matches documents whose id could be the name of an override. */
    static final Bson NAMED = isText("_id", StoredOverride.LONGEST);

    /**
     * Matches documents whose fields are short and have the right types. The server applies the filter, so a huge
     * document from another program never reaches this process.
     */
    static final Bson READABLE = Filters.and(Stream.of(
                    Stream.of(NAMED),
                    Stream.of(SUBJECT, VALUE, ENDPOINT, TIERS, BY, WHY)
                            .map(field -> isAbsentOr(field, isText(field, StoredOverride.LONGEST))),
                    Stream.of(UNTIL, SET).map(field -> isAbsentOr(field, Filters.type(field, BsonType.DATE_TIME))))
            .flatMap(all -> all)
            .toList());

    private OverrideDocument() {}

    /**
     * Matches documents in which a field is a string of at most the given length. Before MongoDB 4.4, queries could
     * only check the length of a string with a regular expression. The filter excludes arrays, because a condition on
     * an array matches if any of its items matches.
     */
    static Bson isText(String field, int longest) {
        return Filters.and(
                Filters.type(field, BsonType.STRING),
                Filters.regex(field, "^[\\s\\S]{0," + longest + "}$"),
                Filters.not(Filters.type(field, BsonType.ARRAY)));
    }

    static Bson isAbsentOr(String field, Bson condition) {
        return Filters.or(Filters.exists(field, false), condition);
    }

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

    /** Parses a document. Missing or malformed fields get default values. */
    static StoredOverride read(Document found) {
        ClientOverride limit =
                new ClientOverride(text(found, SUBJECT), text(found, VALUE), text(found, ENDPOINT), text(found, TIERS));
        return new StoredOverride(limit, millis(found, UNTIL), millis(found, SET), text(found, BY), text(found, WHY));
    }

    /** The approximate size of a document in bytes. */
    static long size(Document found) {
        return found.values().stream()
                .mapToLong(value -> String.valueOf(value).length())
                .sum();
    }

    private static String text(Document found, String field) {
        return found.get(field) instanceof String text ? text : "";
    }

    private static long millis(Document found, String field) {
        return found.get(field) instanceof Date date ? date.toInstant().toEpochMilli() : 0;
    }
}
