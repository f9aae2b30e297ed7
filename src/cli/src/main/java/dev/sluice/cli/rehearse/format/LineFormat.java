package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.Nullable;

/** A format of lines. Not thread-safe. */
public interface LineFormat {

    /** The name for people. */
    String name();

    /**
     * The call of a line; {@link LoggedCall#NO_REQUEST} if it logs a connection without a valid request, {@code null}
     * if it is not in this format.
     */
    @Nullable LoggedCall read(String line);

    /** Whether the whole line is in this format. */
    default boolean matches(String line) {
        return read(line) != null;
    }
}
