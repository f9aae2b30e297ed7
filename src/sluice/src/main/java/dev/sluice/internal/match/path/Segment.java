package dev.sluice.internal.match.path;

import dev.sluice.internal.match.glob.Glob;

/** One segment of a path pattern. */
sealed interface Segment {

    /** Matches exactly this text. */
    record Literal(String text) implements Segment {}

    /** Matches a text with stars. */
    record Starred(Glob glob) implements Segment {}

    /** Matches any single segment and captures its value under a name. The name is empty for a plain {@code *}. */
    record Any(String name) implements Segment {}

    /** Matches any number of segments, including none. */
    record Remaining() implements Segment {}
}
