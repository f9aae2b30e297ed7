package dev.sluice.limits;

import java.io.IOException;

/**
 * Reads the text of a {@code rate-limits.yml} that is not a file. Pass it to {@code Sluice.builder().config(source)}. A
 * background thread reads it again and again, to find changes. If it throws, the limits in force stay.
 */
public interface ConfigSource {

    /** The largest file, in bytes. */
    int MAX_BYTES = 1 << 20;

    /** The name that users know the file by. Every message about the file starts with it. */
    String name();

    /**
     * Reads the whole content. If it is too long, the first {@link #MAX_BYTES} + 1 bytes are enough.
     *
     * @throws IOException if it cannot be read now
     */
    byte[] read() throws IOException;
}
