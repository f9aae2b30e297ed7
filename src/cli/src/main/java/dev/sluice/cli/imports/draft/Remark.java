package dev.sluice.cli.imports.draft;

import dev.sluice.internal.config.yaml.FilePosition;
import java.util.Locale;

/**
 * A note on a setting that was imported with a difference, or not at all.
 *
 * @param position of the setting in the imported file
 */
public record Remark(Kind kind, FilePosition position, String sentence) {

    /** What the difference means for calls. */
    public enum Kind {
        /** The limit may refuse calls that passed before, so it is a dry run until a person has checked it. */
        STRICTER,
        /** The limit may let calls pass that were refused before. */
        LOOSER,
        /** The same calls are limited, with a difference that callers or operators can see. */
        DIFFERENT,
        /** The setting has no counterpart, but it changes no decision. */
        LEFT_OUT,
        /** The limit is missing in the result. */
        NOT_IMPORTED;

        /** The kind in words for people. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The remark on one line, after the name of the file. */
    public String line(String file) {
        String where = position.line() > 0 ? ":" + position.line() + ":" + position.column() : "";
        String path = position.path().isEmpty() ? "" : " " + position.path();
        return file + where + path + ": " + kind.text() + ": " + sentence;
    }

    /** The remark as a comment in the result. */
    String comment() {
        return (position.line() > 0 ? "line " + position.line() + ", " : "") + kind.text() + ": " + sentence;
    }
}
