package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.cli.imports.path.PathPatterns;
import java.util.List;
import java.util.Map;

/**
 * A route of Envoy, and what it sends to the ratelimit service.
 *
 * @param shown how people know it, {@code prefix "/api" (line 12)} for example
 * @param start what the paths of its calls begin with
 * @param whole whether they are that and no more
 * @param paths the same as patterns
 * @param earlier the routes that are asked before it
 */
record Route(
        String shown,
        String start,
        boolean whole,
        PathPatterns paths,
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

    /** Whether it takes all calls that no earlier route takes. */
    boolean isRest() {
        return paths.patterns().equals(List.of("/**"))
                && requirements.isEmpty()
                && methods.isEmpty()
                && stricter.isEmpty();
    }

    /** Whether there may be paths that both routes match. */
    boolean overlaps(Route other) {
        if (whole) {
            return other.whole ? start.equals(other.start) : start.startsWith(other.start);
        }
        return other.start.startsWith(start) || (!other.whole && start.startsWith(other.start));
    }
}
