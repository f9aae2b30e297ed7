package dev.sluice.cli.imports.envoy;

import java.util.Locale;

/**
 * Where Envoy gets an entry of a descriptor from.
 *
 * @param text the source, the constant, or the reason why it is unknown
 */
record Origin(Kind kind, String text) {

    /** The kinds of origin. */
    enum Kind {
        /** The same text for all calls that send it; empty if the text is unknown. */
        CONSTANT,
        /** A source that a subject can have. */
        SOURCE,
        PATH,
        METHOD,
        UNKNOWN
    }

    static Origin source(String source) {
        return new Origin(Kind.SOURCE, source);
    }

    static Origin constant(String value) {
        return new Origin(Kind.CONSTANT, value);
    }

    static Origin unknown(String why) {
        return new Origin(Kind.UNKNOWN, why);
    }

    static Origin header(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case ":path" -> new Origin(Kind.PATH, name);
            case ":method" -> new Origin(Kind.METHOD, name);
            case ":authority", "host" -> source("header:Host");
            default -> source("header:" + name);
        };
    }

    /** Whether every call has it. */
    boolean isAlwaysThere() {
        return kind != Kind.SOURCE || text.equals("ip");
    }
}
