package dev.sluice.internal.config.yaml;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A value of the file and its position. A text has no type until the reader of its key converts it. Immutable. */
public sealed interface Value {

    FilePosition position();

    /** The same value, but hidden from messages; a map stays as it is. */
    default Value asSecret() {
        return this;
    }

    /**
     * A scalar, which is always a text.
     *
     * @param content the text, with the values of variables
     * @param written the text as in the file; messages show only this, since a variable may contain a secret
     * @param style how it was written
     */
    record Text(FilePosition position, String content, String written, Style style) implements Value {

        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
        private static final Pattern FLOW = Pattern.compile("[,\\[\\]{}]");

        /** How a scalar was written. */
        public enum Style {
            PLAIN,
            QUOTED,
            /** A property. It has no quotes that tell a text from a number or a boolean. */
            UNTYPED,
            /** The scalar contains a variable, so quotes around it say nothing about its type. */
            SUBSTITUTED
        }

        @Override
        public Text asSecret() {
            return new Text(position, content, "***", Style.SUBSTITUTED);
        }

        /** Whether it contains a variable, whose value messages must not show. */
        public boolean isSubstituted() {
            return style == Style.SUBSTITUTED;
        }

        /** Whether the key has no value. */
        public boolean isMissing() {
            return style != Style.QUOTED && NULLS.contains(content);
        }

        /** The text as in the file, quoted for messages. */
        public String quoted() {
            return (isSubstituted() ? "the value of " : "") + Quote.of(written);
        }

        /** The text as users can write it in the file, even inside brackets or braces. */
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

    /** A map, in the order of the file. */
    record Fields(FilePosition position, Map<String, Field> fields) implements Value {}

    /** A value that was already reported as wrong. */
    record Broken(FilePosition position) implements Value {}

    /** One entry of a map. */
    record Field(FilePosition keyPosition, Value value) {}
}
