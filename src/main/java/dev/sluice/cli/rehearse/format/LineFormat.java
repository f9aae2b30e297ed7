package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.LoggedCall;
import org.jspecify.annotations.Nullable;

/** A format of lines. For one thread. */
public interface LineFormat {

    /** What people call it. */
    String name();

    /**
     * The call in these bytes; {@link LoggedCall#NO_REQUEST} if they log a connection without a request that can be
     * understood, {@code null} if they are not in this format. Valid until the next line is read.
     */
    @Nullable LoggedCall read(byte[] line, int from, int to);

    /** Whether that is a line of this format from its beginning to its end. */
    default boolean matches(byte[] line, int from, int to) {
        return read(line, from, to) != null;
    }
}
