package dev.sluice.internal.http.response;

import org.jspecify.annotations.Nullable;

/**
 * Reads and sets header fields of one kind of response. The response is an argument, so that no call allocates an
 * adapter for it. Thread-safe.
 *
 * @param <R> the kind of response
 */
public interface HeaderFields<R> {

    /** Whether the fields have been sent, so that none can be set any more. */
    boolean areSent(R response);

    /** The value of a field; {@code null} if the response does not have it. */
    @Nullable String get(R response, String name);

    /** Sets a field, replacing an earlier value. */
    void set(R response, String name, String value);
}
