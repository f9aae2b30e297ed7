package dev.sluice.internal.match.path;

import dev.sluice.Call;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one endpoint: all paths that match any of its patterns, minus the excepted paths. Immutable.
 *
 * <p>A reading is one of the ways in which servers interpret a path. A call belongs to the endpoint if any reading of
 * its path matches a pattern. It is excepted only if every reading of its path matches an exception, because a backend
 * server might use any of them. For example, the exception {@code /static/**} applies to {@code /static/..%2flogin}
 * only if {@code /login} also matches an exception.
 */
public final class EndpointPaths {

    /** All paths. Endpoints that limit methods use this object, because a request to any path can call a method. */
    public static final EndpointPaths ANY = of(List.of("/**"), List.of(), true);

    private final List<PathPattern> patterns;
    private final boolean ignoreCase;
    private final Set<String> variables;
    /** The excepted paths; {@code null} if there are none. */
    private final @Nullable Trie<Boolean> excepted;

    /** Creates the paths that match these patterns, minus the paths that match the patterns in {@code except}. */
    public EndpointPaths(List<PathPattern> patterns, List<PathPattern> except, boolean caseSensitive) {
        this.patterns = List.copyOf(patterns);
        this.ignoreCase = !caseSensitive;
        this.variables = patterns.stream()
                .flatMap(pattern -> pattern.variables().stream())
                .collect(Collectors.toUnmodifiableSet());
        this.excepted = except.isEmpty() ? null : compiled(except, ignoreCase);
    }

    private static Trie<Boolean> compiled(List<PathPattern> except, boolean ignoreCase) {
        Trie.Draft<Boolean> draft = new Trie.Draft<>(ignoreCase, Boolean::logicalOr);
        except.forEach(pattern -> draft.add(pattern, true));
        return draft.compile();
    }

    /**
     * Creates the paths from patterns in text form.
     *
     * @throws PathPatternException if one of the strings is not a valid pattern
     */
    public static EndpointPaths of(List<String> patterns, List<String> except, boolean caseSensitive) {
        return new EndpointPaths(
                patterns.stream().map(PathPattern::parse).toList(),
                except.stream().map(PathPattern::parse).toList(),
                caseSensitive);
    }

    /** Returns the patterns, in the order of the file. */
    public List<PathPattern> patterns() {
        return patterns;
    }

    /** Returns the names of all variables that occur in the patterns. */
    public Set<String> variables() {
        return variables;
    }

    /** Whether any paths are excepted. */
    public boolean hasExceptions() {
        return excepted != null;
    }

    /**
     * Whether the call is excepted. This is the case if every reading of its path and of its {@linkplain Call#otherPath
     * other path} matches an exception. An exception for a directory also applies to the directory's welcome file,
     * unless a pattern names that file.
     */
    public boolean isExcepted(Call call) {
        Trie<Boolean> all = excepted;
        if (all == null || !all.matchesEachReading(call.path())) {
            return false;
        }
        String other = call.otherPath();
        if (other != null && !all.matchesEachReading(other)) {
            return false;
        }
        for (String file : CallReading.welcomeFiles(call, other)) {
            if (matchesFile(PathReadings.split(file)) && all.matchReading(file) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether a pattern that {@linkplain PathPattern#namesFile names a file} matches this reading of a path. */
    public boolean matchesFile(String reading) {
        return matchesFile(PathReadings.split(reading));
    }

    private boolean matchesFile(List<String> segments) {
        for (PathPattern pattern : patterns) {
            if (pattern.namesFile() && pattern.matches(segments, ignoreCase)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a pattern matches this reading. If a call has only one reading, the endpoint was found by this reading,
     * so the reading matches.
     */
    public boolean matches(Call call) {
        if (!(call instanceof CallReading reading)) {
            return true;
        }
        if (reading.isWelcomeFile()) {
            return matchesFile(reading.segments());
        }
        for (PathPattern pattern : patterns) {
            if (pattern.matches(reading.segments(), ignoreCase)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the value of a variable in this reading, or in the first matching reading of a call; {@code null} if no
     * reading matches. If several patterns match, the value comes from the first one.
     */
    public @Nullable String capture(String variable, Call call) {
        for (PathPattern pattern : patterns) {
            String found = call instanceof CallReading reading
                    ? pattern.capture(variable, reading.segments(), ignoreCase)
                    : pattern.capture(variable, call.path(), ignoreCase);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
