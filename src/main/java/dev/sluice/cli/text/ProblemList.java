package dev.sluice.cli.text;

import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import dev.sluice.config.yaml.ProblemCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was found in a file, as people see it: a line for each problem, then how many there are. */
public record ProblemList(List<Problem> problems) {

    /** Problems with names that may be those of resolvers, which this command cannot know. */
    private static final Set<String> OF_RESOLVERS = Stream.of(
                    ProblemCode.UNKNOWN_SUBJECT, ProblemCode.UNKNOWN_SOURCE, ProblemCode.UNKNOWN_COST)
            .map(ProblemCode::text)
            .collect(Collectors.toSet());

    public void print(PrintWriter out) {
        printEach(out);
        if (problems.stream().anyMatch(ProblemList::mayNameResolver)) {
            out.println("If the application registers a resolver under such a name, name it: --resolver NAME");
        }
        out.println(count());
        out.flush();
    }

    /** Whether it is of a name for which there is no guess, which would be asked at its end. */
    private static boolean mayNameResolver(Problem problem) {
        return OF_RESOLVERS.contains(problem.code()) && !problem.message().endsWith("?");
    }

    /** A warning says that it is one, since the file is in use all the same. */
    public void printEach(PrintWriter out) {
        for (Problem problem : problems) {
            out.println(problem.severity() == Severity.WARNING ? "warning: " + problem : problem.toString());
        }
    }

    /** For example {@code 2 errors, 1 warning}; empty if nothing was found. */
    public String count() {
        long warnings = problems.stream()
                .filter(problem -> problem.severity() == Severity.WARNING)
                .count();
        long errors = problems.size() - warnings;
        String both = errors > 0 && warnings > 0 ? ", " : "";
        return (errors > 0 ? CountText.of(errors, "error") : "")
                + both
                + (warnings > 0 ? CountText.of(warnings, "warning") : "");
    }
}
