package dev.sluice.internal.config.yaml;

import java.io.Serial;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Limits how much YAML is read, so that no file takes long. Not thread-safe. */
final class Bounds {

    /** The deepest nesting in a file of limits. */
    static final int DEEPEST = 20;
    /** The deepest nesting in files of other programs. */
    static final int DEEPEST_OF_OTHERS = 50;

    private static final int MOST_ALIASES = 100;
    private static final int MOST_VALUES = 250_000;

    private final int deepest;
    private int values;
    private int aliases;

    Bounds(int deepest) {
        this.deepest = deepest;
    }

    void countValue(int depth, Mark mark) {
        if (depth > deepest) {
            throw new ExceededException(mark, "values are nested more than " + deepest + " deep; nest them less");
        }
        if (++values > MOST_VALUES) {
            throw new ExceededException(
                    mark, "there are more than " + MOST_VALUES + " values; remove what this service does not need");
        }
    }

    void countAlias(Mark mark) {
        if (++aliases > MOST_ALIASES) {
            throw new ExceededException(mark, "there are more than " + MOST_ALIASES + " aliases; write some out");
        }
    }

    /** A file exceeds the bounds. */
    static final class ExceededException extends MarkedYAMLException {

        @Serial
        private static final long serialVersionUID = 1L;

        private ExceededException(Mark mark, String sentence) {
            super(null, null, sentence, mark);
        }
    }
}
