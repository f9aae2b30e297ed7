package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Requirement;
import java.util.List;
import java.util.Map;

/**
 * A route of Envoy, and what it sends to the ratelimit service.
 *
 * @param line of the file
 * @param stricter why its endpoints may limit more calls than the route
 * @param earlier the routes that Envoy tries before it
 */
record Route(
        int line,
        PathMatch path,
        Map<String, Requirement> requirements,
        List<String> methods,
        List<String> stricter,
        List<SentDescriptor> sent,
        List<Route> earlier) {

    Route {
        requirements = Map.copyOf(requirements);
        methods = List.copyOf(methods);
        stricter = List.copyOf(stricter);
        sent = List.copyOf(sent);
        earlier = List.copyOf(earlier);
    }

    /** For people, for example {@code prefix "/api" (line 12)}. */
    String text() {
        return path.text().isEmpty() ? "of line " + line : path.text() + " (line " + line + ")";
    }

    /** Whether it takes all calls that no earlier route took. */
    boolean isRest() {
        return path.paths().patterns().equals(List.of("/**"))
                && requirements.isEmpty()
                && methods.isEmpty()
                && stricter.isEmpty();
    }
}
