package dev.sluice.cli.rehearse.call;

import java.util.List;
import java.util.Locale;

/**
 * The names of a format's extra fields: {@code header:x-org-id}, {@code cookie:sid}, or what {@code --field} names.
 *
 * @param names in the order of the values in calls; the list grows if lines name their own fields
 */
public record ExtraFields(List<String> names) {

    public static final String HEADER = "header:";

    /** The normalised name of a header: logs of nginx have underscores instead of hyphens. */
    public static String headerName(String name) {
        return HEADER + name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The index of a header's value; -1 if there is none. Runs for every call, so it allocates nothing. */
    int header(String name) {
        for (int i = 0; i < names.size(); i++) {
            if (isHeader(names.get(i), name)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isHeader(String known, String asked) {
        int length = asked.length();
        if (known.length() != length + HEADER.length() || !known.startsWith(HEADER)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = asked.charAt(i);
            char plain = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
            if (known.charAt(HEADER.length() + i) != plain) {
                return false;
            }
        }
        return true;
    }
}
