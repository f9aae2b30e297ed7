package dev.sluice.cli.imports.path;

/** A part of an expression that stands for characters of a path. */
sealed interface RegexPart {

    /** One character that stands for itself. */
    record Literal(char character) implements RegexPart {}

    /** Any characters, slashes too. */
    record Anything() implements RegexPart {}

    /**
     * Some characters of one segment.
     *
     * @param exact whether it is any but slashes
     */
    record WithinSegment(String written, boolean exact) implements RegexPart {}
}
