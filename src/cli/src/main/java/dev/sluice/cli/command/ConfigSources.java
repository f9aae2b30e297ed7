package dev.sluice.cli.command;

import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;

/** Opens the sources from which commands read files of limits. */
public final class ConfigSources {

    private ConfigSources() {}

    /** A file, or standard input if the name is {@code -}. */
    public static ConfigSource named(String file) {
        return file.equals("-") ? new StandardInput() : file(file);
    }

    /** A file. Here, {@code -} is the name of a file too. */
    public static ConfigSource file(String file) {
        try {
            return ConfigLocation.source(file);
        } catch (InvalidPathException e) {
            throw new CommandFailure("cannot find FILE: " + e.getMessage(), e);
        }
    }

    /** A text that the command itself has made. Messages give it this name. */
    public static ConfigSource text(String name, String yaml) {
        return new Text(name, yaml);
    }

    private record Text(String name, String yaml) implements ConfigSource {

        @Override
        public byte[] read() {
            return yaml.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Standard input, which can be read only once. */
    private record StandardInput() implements ConfigSource {

        @Override
        public String name() {
            return "standard input";
        }

        @Override
        public byte[] read() throws IOException {
            // The loader refuses a file that is too large, and this byte beyond the maximum lets it notice one.
            return System.in.readNBytes(MAX_BYTES + 1);
        }
    }
}
