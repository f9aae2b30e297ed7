package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.PathPatterns;
import dev.sluice.cli.imports.draft.RegexPaths;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.Quote;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
            "", "/", false, PathPatterns.none("import does not know how it matches paths; write a pattern by hand"));

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
                path.contains("*") ? PathPatterns.none("no pattern can express this path") : PathPatterns.glob(path);
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
