package dev.sluice.cli;

import dev.sluice.config.LimitsSource;
import java.io.IOException;
import java.nio.file.InvalidPathException;

/** Where a command's FILE is read from. */
final class Sources {

    private Sources() {}

    /** A file, or {@code -} for standard input. */
    static LimitsSource named(String file) {
        return file.equals("-") ? new StandardInput() : file(file);
    }

    static LimitsSource file(String file) {
        try {
            return LimitsSource.at(file);
        } catch (InvalidPathException e) {
            throw new CommandFailure("FILE cannot be found: " + e.getMessage(), e);
        }
    }

    /** Can be read once. */
    private record StandardInput() implements LimitsSource {

        @Override
        public String name() {
            return "standard input";
        }

        @Override
        public byte[] read() throws IOException {
            return System.in.readNBytes(MAX_BYTES + 1);
        }
    }
}
