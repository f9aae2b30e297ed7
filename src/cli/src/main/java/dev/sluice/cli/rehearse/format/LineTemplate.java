package dev.sluice.cli.rehearse.format;

import java.util.ArrayList;
import java.util.List;

/** The fields of a line, with the fixed text before the first field and after each field. */
record LineTemplate(String before, List<Part> parts) {

    /** A field and the text after it. */
    record Part(Field field, String after, boolean isQuoted) {}

    /** Collects the pieces of a template in order. Not thread-safe. */
    static final class Builder {

        private final StringBuilder text = new StringBuilder();
        private final List<Field> fields = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();

        void text(char c) {
            text.append(c);
        }

        void field(Field field) {
            int last = fields.size() - 1;
            boolean isTarget = field.kind() == Field.Kind.QUERY
                    && text.isEmpty()
                    && last >= 0
                    && fields.get(last).kind() == Field.Kind.DECODED_PATH;
            if (isTarget) { // no text separates the two fields, so they can only be parsed as one
                fields.set(last, Field.of(Field.Kind.DECODED_TARGET));
                return;
            }
            texts.add(text.toString());
            text.setLength(0);
            fields.add(field);
        }

        LineTemplate build() {
            texts.add(text.toString());
            List<Part> parts = new ArrayList<>();
            for (int i = 0; i < fields.size(); i++) {
                boolean isQuoted =
                        texts.get(i).endsWith("\"") && texts.get(i + 1).startsWith("\"");
                parts.add(new Part(fields.get(i), texts.get(i + 1), isQuoted));
            }
            return new LineTemplate(texts.get(0), parts);
        }
    }
}
