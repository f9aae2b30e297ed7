package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.LoggedCall;
import org.jspecify.annotations.Nullable;

/** A format of lines. Not thread-safe. */
public interface LineFormat {

    /** The name for people. */
    String name();

    /**
     * The call in these bytes; {@link LoggedCall#NO_REQUEST} if they log a connection without a valid request, {@code null}
     * if they are not in this format. Valid until the next line is read.
     */
    @Nullable LoggedCall read(byte[] line, int from, int to);

    /** Whether the whole line is in this format. */
    default boolean matches(byte[] line, int from, int to) {
        return read(line, from, to) != null;
    }
}
