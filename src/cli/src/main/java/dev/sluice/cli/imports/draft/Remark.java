package dev.sluice.cli.imports.draft;

import dev.sluice.internal.config.yaml.FilePosition;
import java.util.Locale;

/**
 * A remark about a setting that was not imported, or whose effect differs after the import.
 *
 * @param position the position of the setting in the imported file
 */
public record Remark(Kind kind, FilePosition position, String sentence) {

    /** How the difference affects calls. */
    public enum Kind {
        /**
         * The limit might refuse calls that used to pass, so it stays in dry-run mode until somebody has checked it.
         */
        STRICTER,
        /** The limit might admit calls that used to be refused. */
        LOOSER,
        /** The same calls are limited, but callers or operators can notice a difference. */
        DIFFERENT,
        /** The setting has no counterpart, but it does not affect decisions. */
        LEFT_OUT,
        /** The limit is not included in the result. */
        NOT_IMPORTED;

        /** Describes the kind of difference. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Formats the remark as one line that begins with the file name. */
    public String line(String file) {
        String where = position.line() > 0 ? ":" + position.line() + ":" + position.column() : "";
        String path = position.path().isEmpty() ? "" : " " + position.path();
        return file + where + path + ": " + kind.text() + ": " + sentence;
    }

    /** Formats the remark as a comment in the result. */
    String comment() {
        return (position.line() > 0 ? "line " + position.line() + ", " : "") + kind.text() + ": " + sentence;
    }
}
