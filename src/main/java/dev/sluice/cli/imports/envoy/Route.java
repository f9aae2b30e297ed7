package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.PathPatterns;
import dev.sluice.cli.imports.draft.RegexPaths;
import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

    /**
     * Reads a route.
     *
     * @param ofHost what its virtual host sends
     * @param ofNames why the names of its virtual host make its endpoints stricter
     */
    static Route read(ForeignSettings entry, List<SentDescriptor> ofHost, List<String> ofNames, List<Route> earlier) {
        ForeignSettings match = entry.map("match");
        ForeignSettings action = entry.map("route");
        List<SentDescriptor> sent = new ArrayList<>();
        String cluster = action == null ? "" : action.text("cluster", "");
        boolean withHost = action != null && action.truth("include_vh_rate_limits", false);
        if (action != null) {
            sent.addAll(ActionReader.read(action.maps("rate_limits"), cluster));
        }
        ForeignSettings filters = entry.map("typed_per_filter_config");
        ForeignSettings filter = filters == null ? null : filters.map("envoy.filters.http.ratelimit");
        boolean withoutHost = false;
        if (filter != null) {
            sent.addAll(ActionReader.read(filter.maps("rate_limits"), cluster));
            withHost |= filter.text("vh_rate_limits", "").equalsIgnoreCase("INCLUDE");
            withoutHost = filter.text("vh_rate_limits", "").equalsIgnoreCase("IGNORE");
        }
        if ((sent.isEmpty() || withHost) && !withoutHost) {
            sent.addAll(ofHost);
        }
        HeaderMatch headers = match == null
                ? HeaderMatch.of(List.of(), List.of())
                : HeaderMatch.of(match.maps("headers"), match.maps("query_parameters"));
        List<String> stricter = new ArrayList<>(ofNames);
        if (match != null) {
            stricter.addAll(unsupported(match));
        }
        stricter.addAll(headers.unsupported());
        int line = entry.position().line();
        return new Route(line, PathMatch.of(match), headers.requirements(), headers.methods(), stricter, sent, earlier);
    }

    private static List<String> unsupported(ForeignSettings match) {
        List<String> unsupported = new ArrayList<>();
        if (!match.truth("case_sensitive", true)) {
            unsupported.add("the route ignores case; here \"caseSensitive: false\" is for the whole file");
        }
        for (String other : List.of("runtime_fraction", "grpc", "tls_context", "dynamic_metadata", "cookies")) {
            if (match.has(other)) {
                unsupported.add("the route also has the condition " + other + ", which has no counterpart");
            }
        }
        return unsupported;
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

    /**
     * The paths that a route of Envoy matches.
     *
     * @param text for people, for example {@code prefix "/api"}; empty if unknown
     * @param start the beginning of all its paths
     * @param isWhole whether the start is its only path
     * @param paths our patterns for them
     */
    record PathMatch(String text, String start, boolean isWhole, PathPatterns paths) {

        private static final PathMatch UNKNOWN = new PathMatch(
                "",
                "/",
                false,
                PathPatterns.none("import does not know how it matches paths; write a pattern by hand"));

        /** Reads it from the {@code match} of a route. */
        static PathMatch of(@Nullable ForeignSettings match) {
            if (match == null) {
                return UNKNOWN;
            }
            ForeignSettings regex = match.map("safe_regex");
            if (regex != null) {
                return ofRegex(regex.text("regex", ""));
            }
            for (String kind : List.of("path_separated_prefix", "path", "prefix")) {
                String path = match.text(kind);
                if (path != null) {
                    return new PathMatch(kind + " " + Quote.of(path), path, kind.equals("path"), paths(kind, path));
                }
            }
            return UNKNOWN;
        }

        private static PathMatch ofRegex(String expression) {
            String start = expression.replaceFirst("^\\^", "").replaceFirst("(?s)[^A-Za-z0-9/_-].*", "");
            return new PathMatch("regex " + Quote.of(expression), start, false, RegexPaths.of(expression));
        }

        private static PathPatterns paths(String kind, String path) {
            return switch (kind) {
                case "prefix" -> PathPatterns.prefix(path);
                case "path" ->
                    path.contains("*")
                            ? PathPatterns.none("no pattern can express this path")
                            : PathPatterns.glob(path);
                default -> PathPatterns.tree(path);
            };
        }

        /** Whether both may match some path. */
        boolean overlaps(PathMatch other) {
            if (isWhole) {
                return other.isWhole ? start.equals(other.start) : start.startsWith(other.start);
            }
            return other.start.startsWith(start) || (!other.isWhole && start.startsWith(other.start));
        }
    }
}
