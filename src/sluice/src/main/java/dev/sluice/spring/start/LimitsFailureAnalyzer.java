package dev.sluice.spring.start;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports all mistakes in the limits together, in Spring Boot's failure format and without a stack trace. */
public final class LimitsFailureAnalyzer extends AbstractFailureAnalyzer<RuntimeException> {

    public LimitsFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RuntimeException cause) {
        LimitsException mistakes = findCause(rootFailure, LimitsException.class);
        if (mistakes != null) {
            return analysis(mistakes);
        }
        StartFailure failure = findCause(rootFailure, StartFailure.class);
        return failure == null
                ? null
                : new FailureAnalysis(String.valueOf(failure.getMessage()), failure.action(), failure);
    }

    private static FailureAnalysis analysis(LimitsException mistakes) {
        long errors = mistakes.problems().stream()
                .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                .count();
        String all =
                mistakes.problems().stream().map(problem -> "    " + problem).collect(Collectors.joining("\n"));
        return new FailureAnalysis(
                "The limits cannot be used:\n\n" + all,
                (errors == 1 ? "Correct this" : "Correct these " + errors + " mistakes")
                        + "; docs/errors.md explains the codes. With sluice.enabled=false the application starts without"
                        + " limits.",
                mistakes);
    }
}
