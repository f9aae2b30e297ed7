package dev.sluice.match.path;

import dev.sluice.match.text.Glob;

/** What one piece of a pattern between two slashes asks of one piece of a path. */
sealed interface Segment {

    /** Exactly this text. */
    record Literal(String text) implements Segment {}

    /** Text with stars in it. */
    record Starred(Glob glob) implements Segment {}

    /** Any one segment, remembered under a name; the name is empty for a plain {@code *}. */
    record Any(String name) implements Segment {}

    /** Any number of segments, also none. */
    record Rest() implements Segment {}
}
