package dev.sluice.cli.rehearse.suggest;

import dev.sluice.cli.rehearse.format.LoggedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the patterns of the called paths, by method. Memory is bounded. */
final class CalledPaths {

    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final Map<String, PathTree> trees = new HashMap<>();
    private long calls;

    /**
     * Adds a call. Ignores unusual methods, and {@linkplain Visitors#isMiss misses}, such as calls to paths that do not
     * exist.
     */
    void add(LoggedCall call) {
        if (METHODS.contains(call.method()) && !Visitors.isMiss(call)) {
            calls++;
            trees.computeIfAbsent(call.method(), method -> new PathTree()).add(call.path());
        }
    }

    long calls() {
        return calls;
    }

    /** Returns the groups, most important first. */
    List<PathGroup> groups() {
        List<PathGroup> all = new ArrayList<>();
        trees.forEach((method, tree) ->
                tree.patterns().forEach((pattern, size) -> all.add(new PathGroup("", method, pattern, size))));
        all.sort(Comparator.comparingLong(PathGroup::weight).reversed().thenComparing(PathGroup::where));
        return all;
    }
}
