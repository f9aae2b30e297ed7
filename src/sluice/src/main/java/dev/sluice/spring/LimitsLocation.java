package dev.sluice.spring;

import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import dev.sluice.spring.start.StartFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ResourceUtils;

/**
 * Finds the limits of an application: in its properties, in the file that a property names, or in the default
 * locations.
 */
final class LimitsLocation {

    /**
     * The default locations in order of precedence. Locations outside the jar come first, as for Spring Boot's own
     * files.
     */
    static final List<String> PLACES = List.of(
            "config/rate-limits.yml",
            "rate-limits.yml",
            "classpath:config/rate-limits.yml",
            "classpath:rate-limits.yml");

    private static final String CONFIG = "sluice.config";

    private LimitsLocation() {}

    /**
     * The source of the limits; {@code null} if there are no limits.
     *
     * @throws StartFailure if the properties contain limits and also name a file, or if the name is empty
     */
    static @Nullable ConfigSource find(Environment environment) {
        String named = environment.getProperty(CONFIG);
        PropertyLimits properties = PropertyLimits.of(environment);
        if (properties == null) {
            return named == null ? firstFile() : file(named);
        }
        if (named != null) {
            throw new StartFailure(
                    "Both sluice.limits and sluice.config (" + named + ") are set.", "Remove one of the two.", null);
        }
        return properties;
    }

    /**
     * A list of the locations where no limits were found, as text. It includes the working directory, because locations
     * outside the jar depend on it.
     */
    static String nothingFound() {
        return "none of the files " + String.join(", ", PLACES)
                + " exists, and neither sluice.config nor sluice.limits is set. The application runs in "
                + Path.of("").toAbsolutePath();
    }

    /** The first of the default locations that contains a file; {@code null} if there is none. */
    static @Nullable ConfigSource firstFile() {
        return PLACES.stream()
                .map(ConfigLocation::source)
                .filter(LimitsLocation::exists)
                .findFirst()
                .orElse(null);
    }

    private static ConfigSource file(String named) {
        String location = named.strip();
        if (location.isEmpty()) {
            throw new StartFailure("sluice.config is empty.", "Name a file, or remove the property.", null);
        }
        if (location.startsWith(ResourceUtils.FILE_URL_PREFIX)) {
            try {
                return ConfigLocation.source(ResourceUtils.getFile(location).getPath());
            } catch (FileNotFoundException e) {
                throw new StartFailure(
                        "sluice.config is " + location + ", which is not a file.",
                        "Write a path, such as /etc/shop/rate-limits.yml, or classpath:rate-limits.yml.",
                        e);
            }
        }
        return ConfigLocation.source(location);
    }

    /**
     * Whether a file exists. An unreadable file is treated as existing, because it must be reported rather than
     * skipped.
     */
    private static boolean exists(ConfigSource source) {
        try {
            byte[] unused = source.read();
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
