package dev.sluice.internal.match.path;

import dev.sluice.internal.match.glob.Glob;

/** What one segment of a pattern matches in a path. */
sealed interface Segment {

    /** Exactly this text. */
    record Literal(String text) implements Segment {}

    /** Text with stars in it. */
    record Starred(Glob glob) implements Segment {}

    /** Any one segment, whose value has a name; the name is empty for a plain {@code *}. */
    record Any(String name) implements Segment {}

    /** Any number of segments, including none. */
    record Remaining() implements Segment {}
}
