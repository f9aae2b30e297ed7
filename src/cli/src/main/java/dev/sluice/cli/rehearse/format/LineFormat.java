package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.Nullable;

/** A format in which servers write lines of logs. Not thread-safe. */
public interface LineFormat {

    /** The name of the format, for people. */
    String name();

    /**
     * The call of a line. It is {@link LoggedCall#NO_REQUEST} if the line logs a connection without a valid request,
     * and {@code null} if the line is not in this format.
     */
    @Nullable LoggedCall read(String line);

    /** Whether the whole line is in this format. */
    default boolean matches(String line) {
        return read(line) != null;
    }
}
