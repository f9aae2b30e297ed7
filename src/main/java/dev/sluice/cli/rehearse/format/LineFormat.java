package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.Nullable;

/** A way in which lines are written. For one thread. */
public interface LineFormat {

    /** What people call it. */
    String name();

    /**
     * The call that these bytes tell of; {@link LoggedCall#NO_REQUEST} if they tell of a connection without a request
     * that can be understood, {@code null} if they are not written in this way.
     */
    @Nullable LoggedCall read(byte[] line, int from, int to);
}
