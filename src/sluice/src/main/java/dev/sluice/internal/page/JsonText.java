package dev.sluice.internal.page;

import dev.sluice.internal.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes the page's data as JSON. We cannot rely on a JSON library, because Spring Boot 3 includes Jackson 2, Spring
 * Boot 4 includes Jackson 3, and other applications might include neither. Not thread-safe.
 */
final class JsonText {

    private final StringBuilder json = new StringBuilder();

    private JsonText() {}

    /** Renders the data as one line of JSON in UTF-8. Members that are {@code null} are omitted. */
    static byte[] of(Record data) {
        JsonText text = new JsonText();
        text.append(JsonValues.of(data));
        return text.json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void append(Object value) {
        if (value instanceof String text) {
            appendQuoted(text);
        } else if (value instanceof Map<?, ?> members) {
            appendMembers(members);
        } else if (value instanceof List<?> elements) {
            appendElements(elements);
        } else if (value instanceof long[] numbers) {
            json.append(Arrays.toString(numbers).replace(" ", ""));
        } else if (value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else {
            throw new IllegalArgumentException(
                    "cannot write a " + value.getClass().getName() + " as JSON");
        }
    }

    private void appendMembers(Map<?, ?> members) {
        String separator = "{";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            json.append(separator);
            appendQuoted(String.valueOf(member.getKey()));
            json.append(':');
            append(member.getValue());
            separator = ",";
        }
        json.append(separator.equals("{") ? "{}" : "}");
    }

    private void appendElements(List<?> elements) {
        String separator = "[";
        for (Object element : elements) {
            json.append(separator);
            append(element);
            separator = ",";
        }
        json.append(separator.equals("[") ? "[]" : "]");
    }

    private void appendQuoted(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
