package dev.sluice.internal.servlet.contract;

import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A web application that tests start in any container.
 *
 * @param contextPath the path as {@code ServletContext} reports it; empty for the root
 * @param root the directory of its files
 * @param errorPages locations by status
 * @param welcomeFiles the names of the files that stand for a directory
 * @param setup registers filters and servlets
 */
public record Application(
        String contextPath,
        Path root,
        Leniency leniency,
        Map<Integer, String> errorPages,
        List<String> welcomeFiles,
        ServletContainerInitializer setup) {

    /** How a container treats unusual paths. */
    public enum Leniency {
        /** Does the same as the container does by default. */
        STRICT,
        /** Accepts all paths that it can, and decodes encoded slashes and backslashes to separators. */
        DECODING,
        /** Accepts all paths that it can, and leaves slashes and backslashes encoded. */
        PASSING
    }

    public static Application at(String contextPath, ServletContainerInitializer setup) {
        return new Application(contextPath, Path.of("src/tests/target"), Leniency.STRICT, Map.of(), List.of(), setup);
    }

    Application rootedAt(Path newRoot) {
        return new Application(contextPath, newRoot, leniency, errorPages, welcomeFiles, setup);
    }

    public Application with(Leniency newLeniency) {
        return new Application(contextPath, root, newLeniency, errorPages, welcomeFiles, setup);
    }

    Application withErrorPage(int status, String location) {
        return withErrorPages(Map.of(status, location));
    }

    Application withErrorPages(Map<Integer, String> locations) {
        return new Application(contextPath, root, leniency, locations, welcomeFiles, setup);
    }

    Application welcomedBy(String file) {
        return new Application(contextPath, root, leniency, errorPages, List.of(file), setup);
    }
}
