package dev.sluice.config.yaml;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A value of the file and its place. What type a text has is for the reader of its key to say, not for YAML. */
public sealed interface Value {

    FilePosition position();

    /**
     * A scalar.
     *
     * @param content with variables put in
     * @param written as it stands in the file; all that messages show, for a variable may hold a secret
     * @param style how it was written
     */
    record Text(FilePosition position, String content, String written, Style style) implements Value {

        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

        /** How a scalar was written. */
        public enum Style {
            PLAIN,
            QUOTED,
            /** It holds a variable; its quotes, if any, say nothing of its type. */
            SUBSTITUTED
        }

        /** The same, of which messages show nothing. */
        public Text asSecret() {
            return new Text(position, content, "***", Style.SUBSTITUTED);
        }

        /** Whether the key stands there without a value. */
        public boolean isMissing() {
            return style != Style.QUOTED && NULLS.contains(content);
        }

        /** For people: the text as the file has it. */
        public String quoted() {
            return (style == Style.SUBSTITUTED ? "the value of " : "") + Quote.of(written);
        }

        /** For people: the text as they may write it in the file. */
        public String asWritten() {
            return style == Style.QUOTED ? Quote.of(written) : Quote.plain(written);
        }
    }

    /** A list. */
    record Items(FilePosition position, List<Value> values) implements Value {}

    /** A map, in the order of the file. */
    record Fields(FilePosition position, Map<String, Field> fields) implements Value {}

    /** A value of which all that is wrong was already said. */
    record Broken(FilePosition position) implements Value {}

    /** One entry of a map. */
    record Field(FilePosition keyPlace, Value value) {}
}
