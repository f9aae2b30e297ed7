package dev.sluice;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** The limits cannot be used. Carries all problems of the file, which are found in one pass. */
public final class LimitsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public LimitsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All errors and warnings, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * One error or warning about a file, for a person to read.
     *
     * @param severity whether the file can still be used
     * @param code stable, explained in {@code docs/errors.md}, for example {@code SL-104}
     * @param file the file's name as the user gave it
     * @param line counted from 1; 0 if the whole file is meant
     * @param column counted from 1; 0 if the whole file is meant
     * @param path of the key, for example {@code endpoints[2].tiers[0].period}; empty for the whole file
     * @param message what was found, what was expected, what to do
     */
    public record Problem(
            Severity severity, String code, String file, int line, int column, String path, String message) {

        /** Whether the file can still be used. */
        public enum Severity {
            ERROR,
            WARNING
        }

        /** The message: place, text, and the code to look up. */
        @Override
        public String toString() {
            String where = line > 0 ? file + ":" + line + ":" + column : file;
            return where + (path.isEmpty() ? ":" : " " + path + ":") + " " + message + " [" + code + "]";
        }
    }
}
