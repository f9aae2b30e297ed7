package dev.sluice.cli.rehearse.format;

/**
 * One field of a log line.
 *
 * @param name the key of the value in {@link LoggedCall#others}; used only if the kind is {@link Kind#EXTRA}
 */
record Field(Kind kind, String name) {

    /** The kinds of fields. */
    enum Kind {
        /** The start of the call. */
        START,
        /** The end of the call. */
        END,
        REQUEST,
        METHOD,
        /** A path and query as the client sent them. */
        TARGET,
        /** A decoded path without the query. */
        DECODED_PATH,
        /** A decoded path, followed by the query as the client sent it. */
        DECODED_TARGET,
        QUERY,
        STATUS,
        ADDRESS,
        ADDRESS_AND_PORT,
        /** An address, with or without a port. */
        PEER,
        USER,
        SECONDS,
        MILLIS,
        MICROS,
        NANOS,
        EXTRA,
        /** A field that is ignored. */
        OTHER
    }

    static Field of(Kind kind) {
        return new Field(kind, "");
    }

    static Field extra(String name) {
        return new Field(Kind.EXTRA, name);
    }

    static Field header(String name) {
        return extra(LoggedCall.headerName(name));
    }

    /** Returns the field to which this name in {@code --field} refers. */
    static Field named(String name) {
        return switch (name) {
            case "time" -> of(Kind.END);
            case "start" -> of(Kind.START);
            case "request" -> of(Kind.REQUEST);
            case "method" -> of(Kind.METHOD);
            case "path" -> of(Kind.TARGET);
            case "query" -> of(Kind.QUERY);
            case "status" -> of(Kind.STATUS);
            case "ip" -> of(Kind.PEER);
            case "principal" -> of(Kind.USER);
            case "duration" -> of(Kind.SECONDS);
            default -> name.startsWith("header:") ? header(name.substring("header:".length())) : extra(name);
        };
    }
}
