package dev.sluice;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** The limits cannot be used. All problems of the file are found in one pass, and this exception has all of them. */
public final class LimitsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public LimitsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /**
     * All errors and warnings, in the order of the file.
     *
     * @throws NullPointerException if this exception was deserialized: serialization drops the problems
     */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * One error or warning about a file, in words for people.
     *
     * @param severity whether the file can still be used
     * @param code a stable code such as {@code SL-104}; {@code docs/errors.md} explains it
     * @param file the file's name as the user gave it
     * @param line counted from 1; 0 if the problem concerns the whole file
     * @param column counted from 1; 0 if the problem concerns the whole file
     * @param path the path of the key, for example {@code endpoints[2].tiers[0].period}; empty for the whole file
     * @param message what was found, what was expected, and what to do
     */
    public record Problem(
            Severity severity, String code, String file, int line, int column, String path, String message) {

        /** Whether the file can still be used. */
        public enum Severity {
            ERROR,
            WARNING
        }

        /** The message with its place and code; after {@code warning:} if the file can still be used. */
        @Override
        public String toString() {
            String where = (severity == Severity.WARNING ? "warning: " : "")
                    + (line > 0 ? file + ":" + line + ":" + column : file);
            return where + (path.isEmpty() ? ":" : " " + path + ":") + " " + message + " [" + code + "]";
        }
    }
}
