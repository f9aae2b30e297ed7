package dev.sluice.internal.config.yaml;

import java.io.Serial;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Limits on the size and the nesting depth of a YAML file. They ensure that no file takes long to parse. Not
 * thread-safe.
 */
final class Bounds {

    /** The maximum length of a text in a limits file. A refusal body can reach this length. */
    static final int LONGEST_TEXT = 16_384;

    private static final int DEEPEST = 20;
    private static final int DEEPEST_OF_OTHERS = 50;
    /** The maximum length of a text in another program's file. Such files can contain scripts and certificates. */
    private static final int LONGEST_TEXT_OF_OTHERS = 262_144;

    private static final int MOST_ALIASES = 100;
    private static final int MOST_VALUES = 250_000;
    private static final int MOST_CHARACTERS = 4_000_000;

    private final int deepest;
    private final int longest;
    private int values;
    private int aliases;
    private int characters;

    private Bounds(int deepest, int longest) {
        this.deepest = deepest;
        this.longest = longest;
    }

    /** Returns the bounds for a limits file. */
    static Bounds ofLimits() {
        return new Bounds(DEEPEST, LONGEST_TEXT);
    }

    /** Returns the bounds for another program's file. */
    static Bounds ofOthers() {
        return new Bounds(DEEPEST_OF_OTHERS, LONGEST_TEXT_OF_OTHERS);
    }

    void countValue(int depth, Mark mark) {
        if (depth > deepest) {
            throw new ExceededException(mark, "values are nested more than " + deepest + " levels deep; flatten them");
        }
        if (++values > MOST_VALUES) {
            throw new ExceededException(
                    mark, "there are more than " + MOST_VALUES + " values; remove what this service does not need");
        }
    }

    /** Returns whether a text is too long, and adds its characters to the total. */
    boolean isTooLong(String text, Mark mark) {
        characters += text.length();
        if (characters > MOST_CHARACTERS) {
            throw new ExceededException(
                    mark, "aliases expand to more than " + MOST_CHARACTERS + " characters; use fewer aliases");
        }
        return text.length() > longest;
    }

    /** Returns the message for a text that is too long. */
    String tooLong(String text) {
        return "expected a text of at most " + longest + " characters, but found " + text.length() + "; shorten it";
    }

    void countAlias(Mark mark) {
        if (++aliases > MOST_ALIASES) {
            throw new ExceededException(
                    mark,
                    "there are more than " + MOST_ALIASES + " aliases; replace some with the values that they repeat");
        }
    }

    /** Thrown if a file exceeds the bounds. */
    static final class ExceededException extends MarkedYAMLException {

        @Serial
        private static final long serialVersionUID = 1L;

        private ExceededException(Mark mark, String sentence) {
            super(null, null, sentence, mark);
        }
    }
}
