package dev.sluice.store.mongo.exchange;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;

/**
 * Reads fields of documents. Numbers may have any numeric type, since people may have written them. Other unexpected
 * types cause an {@link IllegalArgumentException}.
 */
public final class Fields {

    private Fields() {}

    /** The number; 0 if there is none. */
    public static long number(Document document, String field) {
        Object value = document.get(field);
        if (value == null) {
            return 0;
        }
        return number(value);
    }

    static long number(Object value) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        throw new IllegalArgumentException("not a number");
    }

    /** The time in milliseconds since 1970; 0 if there is none. */
    static long time(Document document, String field) {
        Object value = document.get(field);
        if (value == null) {
            return 0;
        }
        if (value instanceof Date date) {
            return date.toInstant().toEpochMilli();
        }
        throw new IllegalArgumentException("not a time");
    }

    /** The text; empty if there is none. */
    public static String text(Document document, String field) {
        Object value = document.get(field);
        return value instanceof String text ? text : "";
    }

    /** The document; empty if there is none. */
    static Document part(Document document, String field) {
        Object value = document.get(field);
        if (value == null) {
            return new Document();
        }
        if (value instanceof Document part) {
            return part;
        }
        throw new IllegalArgumentException("not a document");
    }

    static List<Document> parts(Document document, String field) {
        List<Document> parts = new ArrayList<>();
        for (Object value : list(document, field)) {
            if (!(value instanceof Document part)) {
                throw new IllegalArgumentException("not a document");
            }
            parts.add(part);
        }
        return parts;
    }

    static List<String> texts(Document document, String field) {
        List<String> texts = new ArrayList<>();
        for (Object value : list(document, field)) {
            if (!(value instanceof String text)) {
                throw new IllegalArgumentException("not a text");
            }
            texts.add(text);
        }
        return texts;
    }

    static List<Long> numbers(Document document, String field) {
        List<Long> numbers = new ArrayList<>();
        for (Object value : list(document, field)) {
            numbers.add(number(value));
        }
        return numbers;
    }

    private static List<?> list(Document document, String field) {
        Object value = document.get(field);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("not a list");
    }
}
