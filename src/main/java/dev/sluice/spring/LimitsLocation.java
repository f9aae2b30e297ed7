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

/** Finds the limits of an application: in its properties, at the location that they name, or at the usual places. */
final class LimitsLocation {

    /** The usual places, in this order: as with the files of Spring Boot, those outside the jar come first. */
    static final List<String> PLACES = List.of(
            "config/rate-limits.yml",
            "rate-limits.yml",
            "classpath:config/rate-limits.yml",
            "classpath:rate-limits.yml");

    private static final String CONFIG = "sluice.config";

    private LimitsLocation() {}

    /**
     * The source of the limits; {@code null} if there is none.
     *
     * @throws StartFailure if the properties contain limits and name a location too, or name an empty one
     */
    static @Nullable ConfigSource find(Environment environment) {
        String named = environment.getProperty(CONFIG);
        PropertyLimits properties = PropertyLimits.of(environment);
        if (properties == null) {
            return named == null ? firstFile() : file(named);
        }
        if (named != null) {
            throw new StartFailure(
                    "Both sluice.limits and sluice.config (" + named + ") say which limits hold.",
                    "Remove one of the two.",
                    null);
        }
        return properties;
    }

    /** What is missing if there are no limits, and where the application runs, since places outside the jar depend on it. */
    static String nothingFound() {
        return "there is none of " + String.join(", ", PLACES)
                + ", and neither sluice.config nor sluice.limits is set. The application runs in "
                + Path.of("").toAbsolutePath();
    }

    /** The first of the usual places with a file; {@code null} if there is none. */
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
                        "sluice.config is " + location + ", which is no file.",
                        "Write a path, such as /etc/shop/rate-limits.yml, or classpath:rate-limits.yml.",
                        e);
            }
        }
        return ConfigLocation.source(location);
    }

    /** Whether there is a file, readable or not: an unreadable one must be reported, not skipped. */
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
