package dev.sluice.cli.rehearse.suggest;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The patterns of the paths that were called, by method. Its memory is bounded. */
final class CalledPaths {

    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    /** A call that changes something needs a limit more than one that reads. */
    private static final int WEIGHT_OF_WRITE = 10;

    private final Map<String, PathTree> trees = new HashMap<>();
    private long calls;

    /** A pattern, and the calls that it stands for. */
    record Called(PathGroup group, long calls) {

        private long weight() {
            return calls * (group.onlyReads() ? 1 : WEIGHT_OF_WRITE);
        }
    }

    /** Adds a call; of a path that is there. */
    void add(LoggedCall call) {
        if (METHODS.contains(call.method()) && !Visitors.isMiss(call)) {
            calls++;
            trees.computeIfAbsent(call.method(), method -> new PathTree()).add(call.path());
        }
    }

    long calls() {
        return calls;
    }

    /** Those that matter most come first. */
    List<Called> patterns() {
        List<Called> all = new ArrayList<>();
        trees.forEach((method, tree) -> tree.patterns()
                .forEach((pattern, size) -> all.add(new Called(new PathGroup("", method, pattern), size))));
        all.sort(Comparator.comparingLong(Called::weight)
                .reversed()
                .thenComparing(one -> one.group().toString()));
        return all;
    }
}
