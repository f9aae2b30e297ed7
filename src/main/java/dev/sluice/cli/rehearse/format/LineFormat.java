package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.LoggedCall;
import org.jspecify.annotations.Nullable;

/** A format of lines. For one thread. */
public interface LineFormat {

    /** What people call it. */
    String name();

    /**
     * The call that these bytes tell of; {@link LoggedCall#NO_REQUEST} if they tell of a connection without a request
     * that can be understood, {@code null} if they are not written in this way. Stays as it is until the next is read.
     */
    @Nullable LoggedCall read(byte[] line, int from, int to);

    /** Whether that is a line of this format from its beginning to its end. */
    default boolean matches(byte[] line, int from, int to) {
        return read(line, from, to) != null;
    }
}
