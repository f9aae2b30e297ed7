package dev.sluice.limits;

import java.io.IOException;

/** Where the text of a {@code rate-limits.yml} comes from, again and again as it changes. */
public interface ConfigSource {

    /** The most bytes a file of limits has. */
    int MAX_BYTES = 1 << 20;

    /** Stands before the line number in every message; the name by which users know the file. */
    String name();

    /** The whole content as it is now; of a longer one the first {@link #MAX_BYTES} + 1 bytes are enough. */
    byte[] read() throws IOException;
}
