package dev.sluice.internal.config.yaml;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A value in the file, with its position. A text remains untyped until the reader of its key converts it. Immutable.
 */
public sealed interface Value {

    FilePosition position();

    /** Returns a copy whose text is hidden from messages. A map is returned unchanged. */
    default Value asSecret() {
        return this;
    }

    /**
     * A scalar. All scalars are texts.
     *
     * @param content the text with its variables replaced
     * @param written the text as it appears in the file. Messages show only this text, because a variable can contain a
     *     secret
     * @param style the notation of the text in the file
     */
    record Text(FilePosition position, String content, String written, Style style) implements Value {

        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
        private static final Pattern FLOW = Pattern.compile("[,\\[\\]{}]");

        /** The notation of a scalar in the file. */
        public enum Style {
            PLAIN,
            QUOTED,
            /**
             * A property from outside a YAML file. It has no quotes that could distinguish a text from a number or a
             * boolean.
             */
            UNTYPED,
            /** A scalar with a variable. Quotes around it do not determine its type. */
            SUBSTITUTED
        }

        @Override
        public Text asSecret() {
            return new Text(position, content, "***", Style.SUBSTITUTED);
        }

        /** Whether the text contains a variable. Messages must not reveal the variable's value. */
        public boolean isSubstituted() {
            return style == Style.SUBSTITUTED;
        }

        /** Whether the key has no value. */
        public boolean isMissing() {
            return style != Style.QUOTED && NULLS.contains(content);
        }

        /** Returns the text as it appears in the file, quoted for messages. */
        public String quoted() {
            return (isSubstituted() ? "the value of " : "") + Quote.of(written);
        }

        /** Returns the text in a form that users can write in the file, even inside brackets or braces. */
        public String asWritten() {
            boolean isPlain = style == Style.PLAIN && !FLOW.matcher(written).find();
            return isPlain ? Quote.plain(written) : Quote.of(written);
        }
    }

    /** A list. */
    record Items(FilePosition position, List<Value> values) implements Value {

        @Override
        public Items asSecret() {
            return new Items(position, values.stream().map(Value::asSecret).toList());
        }
    }

    /** A map. Its keys are in the order of the file. */
    record Fields(FilePosition position, Map<String, Field> fields) implements Value {}

    /** A value that has already been reported as invalid. */
    record Broken(FilePosition position) implements Value {}

    /** One entry of a map. */
    record Field(FilePosition keyPosition, Value value) {}
}
