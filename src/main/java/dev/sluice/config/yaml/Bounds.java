package dev.sluice.config.yaml;

import java.io.Serial;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** How much YAML is read at most: whatever a file holds, the work it makes is limited, and the limit has a place. */
final class Bounds {

    /** How deep values of a file of limits are nested at most. */
    static final int DEEPEST = 20;
    /** The same of files that are written for other programs. */
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
            throw new TooMuch(mark, "values are nested more than " + deepest + " deep; nest them less");
        }
        if (++values > MOST_VALUES) {
            throw new TooMuch(
                    mark, "there are more than " + MOST_VALUES + " values; remove what this service does not need");
        }
    }

    void countAlias(Mark mark) {
        if (++aliases > MOST_ALIASES) {
            throw new TooMuch(mark, "there are more than " + MOST_ALIASES + " aliases; write some out");
        }
    }

    /** Ends the reading of a file that goes beyond bounds. */
    static final class TooMuch extends MarkedYAMLException {

        @Serial
        private static final long serialVersionUID = 1L;

        private TooMuch(Mark mark, String sentence) {
            super(null, null, sentence, mark);
        }
    }
}
