package dev.sluice.cli;

import dev.sluice.config.LimitsSource;
import java.io.IOException;

/** Where a command's FILE is read from. */
final class Sources {

    private Sources() {}

    static LimitsSource named(String file) {
        return file.equals("-") ? new StandardInput() : LimitsSource.at(file);
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
