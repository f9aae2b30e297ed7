package dev.sluice.limits;

import java.io.IOException;

/**
 * Reads the text of a {@code rate-limits.yml} that is stored somewhere other than in a file. Pass it to {@code
 * Sluice.builder().config(source)}. A background thread reads the text periodically to detect changes. If reading
 * throws an exception, the current limits stay in force.
 */
public interface ConfigSource {

    /** The maximum size of a file, in bytes. */
    int MAX_BYTES = 1 << 20;

    /** Returns the name by which users know the file. Every message about the file starts with this name. */
    String name();

    /**
     * Reads the whole content. If the content is too long, the first {@link #MAX_BYTES} + 1 bytes are enough.
     *
     * @throws IOException if the content is currently unreadable
     */
    byte[] read() throws IOException;
}
