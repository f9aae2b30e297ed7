package dev.sluice.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginProvider;
import org.springframework.boot.origin.TextResourceOrigin;

/**
 * Where a property stands, for people.
 *
 * @param file its name, or whatever else the property comes from
 * @param line from 1; 0 if that is not known
 * @param column the same
 */
record PropertyPlace(String file, int line, int column) {

    private static final String UNKNOWN = "properties";

    static PropertyPlace at(@Nullable Origin origin) {
        Origin told = unwrapped(origin);
        if (told instanceof TextResourceOrigin inText && inText.getLocation() != null) {
            String name =
                    inText.getResource() == null ? null : inText.getResource().getFilename();
            return new PropertyPlace(
                    name == null ? UNKNOWN : name,
                    inText.getLocation().getLine() + 1,
                    inText.getLocation().getColumn() + 1);
        }
        return new PropertyPlace(told == null ? UNKNOWN : String.valueOf(told), 0, 0);
    }

    /** {@code file:line:column}, or what is known of it. */
    static String of(@Nullable Origin origin) {
        PropertyPlace place = at(origin);
        return place.line == 0 ? place.file : place.file + ':' + place.line + ':' + place.column;
    }

    static @Nullable Origin unwrapped(@Nullable Origin origin) {
        return origin instanceof OriginProvider wrapped ? wrapped.getOrigin() : origin;
    }
}
