package dev.sluice.internal.config.yaml;

import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import dev.sluice.internal.text.SafeText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the errors and warnings of one file while it is read. Not thread-safe. */
public final class Findings {

    private static final int MOST_SHOWN = 100;
    private static final int MOST_KEPT = 1_000;

    private final String file;
    private final List<Problem> found = new ArrayList<>();
    private final BiConsumer<FilePosition, String> keys;
    private int notKept;

    public Findings(String file) {
        this(file, (map, key) -> {});
    }

    /**
     * Creates findings that also report the keys of each map. Tests compare these keys with the schema.
     *
     * @param keys the consumer of the keys that each map in the file can contain
     */
    public Findings(String file, BiConsumer<FilePosition, String> keys) {
        this.file = file;
        this.keys = keys;
    }

    public void add(ProblemCode code, FilePosition position, String message) {
        if (isFull()) {
            notKept++;
            return;
        }
        found.add(problem(code, position, message));
    }

    /** Adds a problem with a text. The message consists of the quoted text and the sentence. */
    public void add(ProblemCode code, Value.Text text, String sentence) {
        add(code, text.position(), text.quoted() + sentence);
    }

    /** Adds a problem. Returns {@code null} in place of the invalid value. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // null is of any type
    public <T> @Nullable T refuse(ProblemCode code, FilePosition position, String message) {
        add(code, position, message);
        return null;
    }

    /**
     * Adds a problem with a text, and returns {@code null}. The message consists of the quoted text and the sentence.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T refuse(ProblemCode code, Value.Text text, String sentence) {
        return refuse(code, text.position(), text.quoted() + sentence);
    }

    /** Whether the maximum number of problems has been reached. Further problems are only counted. */
    public boolean isFull() {
        return found.size() == MOST_KEPT;
    }

    /**
     * Creates a problem. Escapes all text, because messages quote keys, and because keys and file names can contain
     * control characters.
     */
    private Problem problem(ProblemCode code, FilePosition position, String message) {
        return new Problem(
                code.severity(),
                code.text(),
                SafeText.of(position.file().isEmpty() ? file : position.file()),
                position.line(),
                position.column(),
                SafeText.of(position.path()),
                SafeText.of(message));
    }

    /** Whether any problem is an error. A file with an error cannot be used. */
    public boolean failed() {
        return found.stream().anyMatch(problem -> problem.severity() == Severity.ERROR);
    }

    /**
     * Returns the problems, sorted by file and position. If there are too many, the list contains only the first ones
     * and a final entry with the number of the others.
     */
    public List<Problem> problems() {
        if (found.isEmpty()) {
            return List.of();
        }
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparing(Problem::file)
                .thenComparingInt(Problem::line)
                .thenComparingInt(Problem::column));
        int hidden = sorted.size() + notKept - MOST_SHOWN;
        if (hidden <= 0) {
            return sorted;
        }
        List<Problem> shown = new ArrayList<>(sorted.subList(0, MOST_SHOWN));
        ProblemCode code = failed() ? ProblemCode.AND_MORE : ProblemCode.AND_MORE_WARNINGS;
        shown.add(problem(code, FilePosition.WHOLE_FILE, "and " + hidden + " more; correct these first"));
        return shown;
    }

    /** Formats problems for the log, each on a new line. The text is empty if there are no problems. */
    public static String lines(List<Problem> problems) {
        return problems.stream().map(problem -> "\n" + problem).collect(Collectors.joining());
    }

    /** Records that the map at this position can contain this key. */
    public void knows(FilePosition map, String key) {
        keys.accept(map, key);
    }
}
