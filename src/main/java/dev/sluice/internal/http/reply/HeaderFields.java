package dev.sluice.internal.http.reply;

import org.jspecify.annotations.Nullable;

/**
 * The header fields of responses, as one kind of server has them. It is given the response each time, so that no call makes
 * an object for it.
 *
 * @param <R> the kind of response
 */
public interface HeaderFields<R> {

    /** Whether they have been sent, so that no field can be set any more. */
    boolean areSent(R response);

    /** The value of a field; {@code null} if the response does not have it. */
    @Nullable String get(R response, String name);

    /** Sets a field, in place of an earlier one of that name. */
    void set(R response, String name, String value);
}
