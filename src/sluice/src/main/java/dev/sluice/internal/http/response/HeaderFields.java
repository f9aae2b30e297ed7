package dev.sluice.internal.http.response;

import org.jspecify.annotations.Nullable;

/**
 * Reads and sets the header fields of one type of response. The response is passed as an argument, so that no adapter
 * needs to be allocated for each call. Thread-safe.
 *
 * @param <R> the type of the response
 */
public interface HeaderFields<R> {

    /** Whether the fields have already been sent. After that, no field can be set. */
    boolean areSent(R response);

    /** Returns the value of a field; {@code null} if the response does not contain the field. */
    @Nullable String get(R response, String name);

    /** Sets a field and replaces any earlier value. */
    void set(R response, String name, String value);
}
