package dev.sluice.cli.command;

import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;

/** The sources from which commands read limits files. */
public final class ConfigSources {

    private ConfigSources() {}

    /** Returns a source that reads the file with this name, or standard input if the name is {@code -}. */
    public static ConfigSource named(String file) {
        return file.equals("-") ? new StandardInput() : file(file);
    }

    /** Returns a source that reads the file with this name. Even {@code -} is treated as a file name. */
    public static ConfigSource file(String file) {
        try {
            return ConfigLocation.source(file);
        } catch (InvalidPathException e) {
            throw new CommandFailure("cannot find FILE: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a source for a text that the command itself has generated. Messages refer to the text by the given name.
     */
    public static ConfigSource text(String name, String yaml) {
        return new Text(name, yaml);
    }

    private record Text(String name, String yaml) implements ConfigSource {

        @Override
        public byte[] read() {
            return yaml.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** A source that reads standard input. The content can be read only once. */
    private record StandardInput() implements ConfigSource {

        @Override
        public String name() {
            return "standard input";
        }

        @Override
        public byte[] read() throws IOException {
            // One byte more than the maximum is enough for the loader to reject a file that is too large.
            return System.in.readNBytes(MAX_BYTES + 1);
        }
    }
}
