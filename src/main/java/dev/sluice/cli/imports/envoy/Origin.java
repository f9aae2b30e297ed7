package dev.sluice.cli.imports.envoy;

import java.util.Locale;

/**
 * Where an entry of a descriptor comes from when Envoy sends it.
 *
 * @param text the source, the constant, or the reason why it is not known
 */
record Origin(Kind kind, String text) {

    /** The kinds of origin. */
    enum Kind {
        /** The same for each call that sends it; empty if it is not known what. */
        CONSTANT,
        /** A source of a subject. */
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

    /** Whether each call has it. */
    boolean isAlwaysThere() {
        return kind != Kind.SOURCE || text.equals("ip");
    }
}
