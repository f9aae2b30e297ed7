package dev.sluice.limits;

import java.io.IOException;

/** Reads the text of a {@code rate-limits.yml}; called again and again to find changes. */
public interface ConfigSource {

    /** The largest size of a file, in bytes. */
    int MAX_BYTES = 1 << 20;

    /** The name by which users know the file; starts every message about it. */
    String name();

    /** The whole current content; of a longer one, the first {@link #MAX_BYTES} + 1 bytes are enough. */
    byte[] read() throws IOException;
}
