package dev.sluice.internal.config.source;

import dev.sluice.limits.ConfigSource;
import java.nio.file.Path;

/** Turns the location of a file, as users write it, into a {@link ConfigSource}. */
public final class ConfigLocation {

    private static final String CLASS_PATH = "classpath:";

    private ConfigLocation() {}

    /** The source for a path of the file system, or for {@code classpath:} and the name of a resource. */
    public static ConfigSource source(String location) {
        return location.startsWith(CLASS_PATH)
                ? new ClassPathSource(location.substring(CLASS_PATH.length()))
                : new FileSource(Path.of(location));
    }
}
