package dev.sluice;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** The definitions cannot be used; carries everything that is wrong with them, found in one pass. */
public final class LimitsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public LimitsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All that was found, errors and warnings, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }
}
