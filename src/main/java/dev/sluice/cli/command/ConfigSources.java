package dev.sluice.cli.command;

import dev.sluice.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.nio.file.InvalidPathException;

/** Where a command's FILE is read from. */
public final class ConfigSources {

    private ConfigSources() {}

    /** A file, or standard input where it is {@code -}. */
    public static ConfigSource named(String file) {
        return file.equals("-") ? new StandardInput() : file(file);
    }

    /** A file, whatever its name. */
    public static ConfigSource file(String file) {
        try {
            return ConfigLocation.source(file);
        } catch (InvalidPathException e) {
            throw new CommandFailure("FILE cannot be found: " + e.getMessage(), e);
        }
    }

    /** Can be read once. */
    private record StandardInput() implements ConfigSource {

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
