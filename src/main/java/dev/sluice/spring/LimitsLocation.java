package dev.sluice.spring;

import dev.sluice.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import dev.sluice.spring.start.StartFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ResourceUtils;

/** Where an application keeps its limits: in its properties, at a place that they name, or where files are looked for. */
final class LimitsLocation {

    /** The first that is there; as Spring Boot looks for its own files, what stands outside the jar goes before. */
    static final List<String> PLACES = List.of(
            "config/rate-limits.yml",
            "rate-limits.yml",
            "classpath:config/rate-limits.yml",
            "classpath:rate-limits.yml");

    private static final String CONFIG = "sluice.config";

    private LimitsLocation() {}

    /**
     * Where the limits are; {@code null} if they are nowhere.
     *
     * @throws StartFailure if two places are named
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

    /** The file among the usual ones that is there; {@code null} if none is. */
    static @Nullable ConfigSource firstFile() {
        return PLACES.stream()
                .map(ConfigLocation::source)
                .filter(LimitsLocation::isThere)
                .findFirst()
                .orElse(null);
    }

    private static ConfigSource file(String named) {
        String location = named.strip();
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

    /** A file that is there and cannot be read is the one that is meant. */
    private static boolean isThere(ConfigSource source) {
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
