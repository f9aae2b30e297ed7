package dev.sluice.cli.text;

import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import java.io.PrintWriter;
import java.util.List;

/** What was found in a file, as people see it: a line for each problem, then how many there are. */
public record ProblemList(List<Problem> problems) {

    public void print(PrintWriter out) {
        printEach(out);
        out.println(count());
        out.flush();
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
