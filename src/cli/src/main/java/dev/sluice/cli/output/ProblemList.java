package dev.sluice.cli.output;

import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import dev.sluice.internal.config.yaml.ProblemCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the problems of a file, one per line, and their number. */
public record ProblemList(List<Problem> problems) {

    /**
     * The codes of problems that concern unknown names. Such a name might belong to a resolver that the application
     * registers.
     */
    private static final Set<String> OF_RESOLVERS = Stream.of(
                    ProblemCode.UNKNOWN_SUBJECT, ProblemCode.UNKNOWN_SOURCE, ProblemCode.UNKNOWN_COST)
            .map(ProblemCode::text)
            .collect(Collectors.toSet());

    public void print(PrintWriter out) {
        printEach(out);
        if (problems.stream().anyMatch(ProblemList::mayNameResolver)) {
            out.println("If the application registers a resolver with such a name, add --resolver NAME.");
        }
        out.println(count());
        out.flush();
    }

    /**
     * Whether an unknown name might belong to a resolver. We assume so if the message suggests no similar name. A
     * suggestion ends with a question mark. A suggested header, such as that for {@code api-key}, does not count as a
     * similar name.
     */
    private static boolean mayNameResolver(Problem problem) {
        return OF_RESOLVERS.contains(problem.code())
                && (!problem.message().endsWith("?") || problem.message().contains("did you mean \"header:"));
    }

    public void printEach(PrintWriter out) {
        problems.forEach(out::println);
    }

    /** Describes how many problems there are, for example {@code 2 errors, 1 warning}; empty if there are none. */
    public String count() {
        long warnings = problems.stream()
                .filter(problem -> problem.severity() == Severity.WARNING)
                .count();
        long errors = problems.size() - warnings;
        return (errors > 0 ? CountText.of(errors, "error") : "")
                + (errors > 0 && warnings > 0 ? ", " : "")
                + (warnings > 0 ? CountText.of(warnings, "warning") : "");
    }
}
