package dev.sluice.internal.store.operated;

import dev.sluice.CounterKey;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A trace: an operator follows one caller at one endpoint for some time. A secret caller appears as its hash.
 *
 * @param id unique on the store
 * @param subject the name of the subject that identifies the caller; empty for any
 * @param value the value of that subject, as counters have it
 * @param leftMillis how long the trace lasts from now on
 */
public record TraceRequest(String id, String endpoint, String subject, String value, long leftMillis) {

    private static final int PARTS = 3;

    /** Whether a counter belongs to this caller at this endpoint. */
    public boolean concerns(CounterKey key) {
        return key.endpoint().equals(endpoint)
                && key.subjects().stream()
                        .anyMatch(one -> one.value().equals(value)
                                && (subject.isEmpty() || one.name().equals(subject)));
    }

    /** The request without its time, as text that {@link #of} parses. */
    public String text() {
        return escaped(endpoint) + ' ' + escaped(subject) + ' ' + escaped(value);
    }

    private static String escaped(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }

    /** Parses a request; empty if the text is not a request. */
    public static Optional<TraceRequest> of(String id, String text, long leftMillis) {
        String[] parts = text.split(" ", -1);
        try {
            return parts.length != PARTS
                    ? Optional.empty()
                    : Optional.of(new TraceRequest(id, plain(parts[0]), plain(parts[1]), plain(parts[2]), leftMillis));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String plain(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}
