package dev.sluice.config.yaml;

import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong or doubtful in one file while the reading of it goes on. For one thread. */
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
     * The same.
     *
     * @param keys receives each key that a map of the file may have
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

    /** Adds what is wrong with a text: the sentence goes on behind it. */
    public void add(ProblemCode code, Value.Text text, String sentence) {
        add(code, text.position(), text.quoted() + sentence);
    }

    /** Adds a finding, and stands for what cannot be read because of it: {@code null}. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // null is of any type
    public <T> @Nullable T refuse(ProblemCode code, FilePosition position, String message) {
        add(code, position, message);
        return null;
    }

    /** The same of a text, which the sentence begins with. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T> @Nullable T refuse(ProblemCode code, Value.Text text, String sentence) {
        return refuse(code, text.position(), text.quoted() + sentence);
    }

    /** Whether so much was found that more is only counted. */
    public boolean isFull() {
        return found.size() == MOST_KEPT;
    }

    private Problem problem(ProblemCode code, FilePosition position, String message) {
        return new Problem(
                code.severity(), code.text(), file, position.line(), position.column(), position.path(), message);
    }

    /** Whether anything is so wrong that the file cannot be used. */
    public boolean failed() {
        return found.stream().anyMatch(problem -> problem.severity() == Severity.ERROR);
    }

    /** All that was found, in the order of the file; of very many the first. */
    public List<Problem> problems() {
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
        int hidden = sorted.size() + notKept - MOST_SHOWN;
        if (hidden <= 0) {
            return sorted;
        }
        List<Problem> shown = new ArrayList<>(sorted.subList(0, MOST_SHOWN));
        ProblemCode code = failed() ? ProblemCode.AND_MORE : ProblemCode.AND_MORE_WARNINGS;
        shown.add(problem(code, FilePosition.WHOLE_FILE, "and " + hidden + " more; correct these first"));
        return shown;
    }

    /** A key may stand in the map at this place. */
    public void knows(FilePosition map, String key) {
        keys.accept(map, key);
    }
}
