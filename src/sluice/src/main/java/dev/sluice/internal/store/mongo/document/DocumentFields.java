package dev.sluice.internal.store.mongo.document;

import java.util.Date;
import java.util.List;
import org.bson.Document;

/**
 * Reads the fields of documents. Numbers can have any numeric type, because someone might have edited them in a shell,
 * which writes different types than the driver. Any other unexpected type causes an {@link IllegalArgumentException} or
 * a {@link ClassCastException}.
 */
public final class DocumentFields {

    private DocumentFields() {}

    /** The number in a field; 0 if the field is absent. */
    public static long number(Document document, String field) {
        Object value = document.get(field);
        return value == null ? 0 : number(value);
    }

    static long number(Object value) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        throw new IllegalArgumentException("not a number");
    }

    /** The time in a field, in milliseconds since 1970; 0 if the field is absent. */
    static long time(Document document, String field) {
        Date value = document.get(field, Date.class);
        return value == null ? 0 : value.toInstant().toEpochMilli();
    }

    /** The text in a field; empty if the field is absent. */
    public static String text(Document document, String field) {
        Object value = document.get(field);
        return value instanceof String text ? text : "";
    }

    /** The subdocument in a field; empty if the field is absent. */
    static Document part(Document document, String field) {
        Document part = document.get(field, Document.class);
        return part == null ? new Document() : part;
    }

    /** The list in a field; empty if the field is absent. All items must have the given type. */
    static <T> List<T> list(Document document, String field, Class<T> type) {
        return document.getList(field, type, List.of());
    }

    static List<Long> numbers(Document document, String field) {
        return list(document, field, Number.class).stream()
                .map(Number::longValue)
                .toList();
    }
}
