package dev.sluice;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown if the limits in a file cannot be used. The whole file is checked, so this exception contains all problems.
 */
public final class LimitsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public LimitsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /**
     * All errors and warnings, in the order in which they occur in the file.
     *
     * @throws NullPointerException if this exception was deserialized, because serialization drops the problems
     */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * An error or a warning about a file, written for people to read.
     *
     * @param severity whether the file can still be used
     * @param code a stable code such as {@code SL-104}; {@code docs/errors.md} explains it
     * @param file the name of the file, as the user specified it
     * @param line the line, starting at 1; 0 if the problem concerns the whole file
     * @param column the column, starting at 1; 0 if the problem concerns the whole file
     * @param path the path of the key, for example {@code endpoints[2].tiers[0].period}; empty if the problem concerns
     *     the whole file
     * @param message what was found, what was expected, and what to do
     */
    public record Problem(
            Severity severity, String code, String file, int line, int column, String path, String message) {

        /** Whether the file can still be used. */
        public enum Severity {
            ERROR,
            WARNING
        }

        /**
         * The message with its position and code. The text starts with {@code warning:} if the file can still be used.
         */
        @Override
        public String toString() {
            String where = (severity == Severity.WARNING ? "warning: " : "")
                    + (line > 0 ? file + ":" + line + ":" + column : file);
            return where + (path.isEmpty() ? ":" : " " + path + ":") + " " + message + " [" + code + "]";
        }
    }
}
