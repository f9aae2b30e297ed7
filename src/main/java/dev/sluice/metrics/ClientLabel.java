package dev.sluice.metrics;

import dev.sluice.traffic.CallerTraffic;

/** Makes a client's name fit for a tag: short, and without what is not for the eye. */
final class ClientLabel {

    private static final int LONGEST = 128;

    private ClientLabel() {}

    static String of(CallerTraffic caller) {
        String name = caller.client();
        StringBuilder label = new StringBuilder();
        for (int at = 0; at < name.length(); at = name.offsetByCodePoints(at, 1)) {
            if (label.length() >= LONGEST) {
                return label + "…";
            }
            append(label, name.codePointAt(at));
        }
        return label.toString();
    }

    private static void append(StringBuilder label, int codePoint) {
        switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> label.append(String.format("\\u%04x", codePoint));
            default -> label.appendCodePoint(codePoint);
        }
    }
}
