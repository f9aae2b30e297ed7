package dev.sluice.internal.servlet.contract;

import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Path;
import java.util.Map;

/**
 * A web application that the tests start in any container.
 *
 * @param contextPath as {@code ServletContext} gives it, empty for the root
 * @param root where its files are
 * @param errorPages locations by status
 * @param setup registers filters and servlets
 */
public record Application(
        String contextPath,
        Path root,
        Leniency leniency,
        Map<Integer, String> errorPages,
        ServletContainerInitializer setup) {

    /** How a container treats unusual paths. */
    public enum Leniency {
        /** By the container's default. */
        STRICT,
        /** Accepts all paths that it can, and decodes encoded slashes and backslashes to separators. */
        DECODING,
        /** Accepts all paths that it can, and leaves slashes and backslashes encoded. */
        PASSING
    }

    public static Application at(String contextPath, ServletContainerInitializer setup) {
        return new Application(contextPath, Path.of("target"), Leniency.STRICT, Map.of(), setup);
    }

    Application rootedAt(Path newRoot) {
        return new Application(contextPath, newRoot, leniency, errorPages, setup);
    }

    public Application with(Leniency newLeniency) {
        return new Application(contextPath, root, newLeniency, errorPages, setup);
    }

    Application withErrorPage(int status, String location) {
        return withErrorPages(Map.of(status, location));
    }

    Application withErrorPages(Map<Integer, String> locations) {
        return new Application(contextPath, root, leniency, locations, setup);
    }
}
