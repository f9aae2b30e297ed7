package dev.sluice.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginProvider;
import org.springframework.boot.origin.TextResourceOrigin;

/**
 * The position of a property, for messages.
 *
 * @param file the name of the file, or the name of the origin if it is not a file
 * @param line the line, starting at 1; 0 if unknown
 * @param column the column, starting at 1; 0 if unknown
 */
record PropertyPlace(String file, int line, int column) {

    private static final String UNKNOWN = "properties";

    static PropertyPlace at(@Nullable Origin origin) {
        Origin known = unwrapped(origin);
        if (known instanceof TextResourceOrigin inText && inText.getLocation() != null) {
            String name =
                    inText.getResource() == null ? null : inText.getResource().getFilename();
            return new PropertyPlace(
                    name == null ? UNKNOWN : name,
                    inText.getLocation().getLine() + 1,
                    inText.getLocation().getColumn() + 1);
        }
        return new PropertyPlace(known == null ? UNKNOWN : String.valueOf(known), 0, 0);
    }

    /** The position as text: {@code file:line:column}, or only the file. */
    static String of(@Nullable Origin origin) {
        PropertyPlace place = at(origin);
        return place.line == 0 ? place.file : place.file + ':' + place.line + ':' + place.column;
    }

    static @Nullable Origin unwrapped(@Nullable Origin origin) {
        return origin instanceof OriginProvider wrapped ? wrapped.getOrigin() : origin;
    }
}
