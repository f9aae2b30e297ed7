package dev.sluice.internal.config.source;

import dev.sluice.limits.ConfigSource;
import java.nio.file.Path;

/** Converts a user-supplied file location to a {@link ConfigSource}. */
public final class ConfigLocation {

    private static final String CLASS_PATH = "classpath:";

    private ConfigLocation() {}

    /** Returns the source for a file path, or for {@code classpath:} followed by a resource name. */
    public static ConfigSource source(String location) {
        return location.startsWith(CLASS_PATH)
                ? new ClassPathSource(location.substring(CLASS_PATH.length()))
                : new FileSource(Path.of(location));
    }
}
