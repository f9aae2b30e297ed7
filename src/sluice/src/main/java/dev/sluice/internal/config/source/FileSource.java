package dev.sluice.internal.config.source;

import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A source that reads a file, up to {@link ConfigSource#MAX_BYTES} + 1 bytes. Thread-safe. */
record FileSource(Path path) implements ConfigSource {

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public byte[] read() throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isRegularFile(path)) { // reading a pipe could block forever
            throw new IOException(Files.isDirectory(path) ? "it is a directory" : "it is not a regular file");
        }
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }
}
