package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.Nullable;

/** A format of log lines. Not thread-safe. */
public interface LineFormat {

    /** Returns the display name of the format. */
    String name();

    /**
     * Returns the call that a line describes. Returns {@link LoggedCall#NO_REQUEST} if the line records a connection
     * without a valid request. Returns {@code null} if the line is not in this format.
     */
    @Nullable LoggedCall read(String line);

    /** Whether the whole line is in this format. */
    default boolean matches(String line) {
        return read(line) != null;
    }
}
