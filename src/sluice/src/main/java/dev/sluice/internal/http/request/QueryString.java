package dev.sluice.internal.http.request;

import dev.sluice.internal.text.PercentDecoding;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads one parameter from a query string. The filter cannot use {@code getParameter}, because that method would
 * consume a form in the request body before the application can read the form.
 *
 * <p>Containers disagree on unusual encodings. If a percent sign is not followed by two hexadecimal digits, Tomcat 10.1
 * drops the parameter, and other containers keep the sign as text. Undertow can be configured not to decode names.
 * Spring WebFlux skips equals signs before a name. Each of these interpretations is a reading.
 */
public final class QueryString {

    private static final int OF_CODING = 3;
    private static final int ALL = 4;
    /** The reading that drops parameters with a malformed percent encoding. */
    private static final int WITHOUT_MALFORMED = 1;
    /** The reading that does not decode names. */
    private static final int NAMES_AS_SENT = 2;
    /** The reading that skips equals signs before a name. */
    private static final int NAMES_BEHIND_EQUALS = 3;

    private QueryString() {}

    /** Returns the number of readings of the query. */
    public static int readings(@Nullable String query) {
        if (query == null) {
            return 1;
        }
        if (query.startsWith("=") || query.contains("&=")) {
            return ALL;
        }
        return query.indexOf('%') < 0 && query.indexOf('+') < 0 ? 1 : readingsOfCoding(query);
    }

    private static int readingsOfCoding(String query) {
        for (int from = 0; from < query.length(); ) {
            int to = indexOf(query, '&', from, query.length());
            if (isEncoded(query, from, indexOf(query, '=', from, to)) || isMalformed(query, from, to)) {
                return OF_CODING;
            }
            from = to + 1;
        }
        return 1;
    }

    /**
     * Returns the first value of the parameter, decoded according to one of the {@link #readings}; {@code null} if the
     * query does not contain the parameter.
     */
    public static @Nullable String first(@Nullable String query, String name, int reading) {
        if (query == null) {
            return null;
        }
        for (int from = 0; from < query.length(); ) {
            int to = indexOf(query, '&', from, query.length());
            int begin = reading == NAMES_BEHIND_EQUALS ? behindEquals(query, from, to) : from;
            int equals = indexOf(query, '=', begin, to);
            if (isNamed(query, begin, equals, name, reading)
                    && !(reading == WITHOUT_MALFORMED && isMalformed(query, from, to))) {
                return equals == to ? "" : PercentDecoding.ofQuery(query.substring(equals + 1, to));
            }
            from = to + 1;
        }
        return null;
    }

    private static boolean isNamed(String query, int from, int to, String name, int reading) {
        if (reading != NAMES_AS_SENT && isEncoded(query, from, to)) {
            return PercentDecoding.ofQuery(query.substring(from, to)).equals(name);
        }
        return to - from == name.length() && query.startsWith(name, from);
    }

    private static boolean isEncoded(String query, int from, int to) {
        for (int i = from; i < to; i++) {
            if (query.charAt(i) == '%' || query.charAt(i) == '+') {
                return true;
            }
        }
        return false;
    }

    private static boolean isMalformed(String query, int from, int to) {
        for (int i = from; i < to; i++) {
            boolean isPair = i + 2 < to
                    && HexFormat.isHexDigit(query.charAt(i + 1))
                    && HexFormat.isHexDigit(query.charAt(i + 2));
            if (query.charAt(i) == '%' && !isPair) {
                return true;
            }
        }
        return false;
    }

    private static int behindEquals(String query, int from, int to) {
        int at = from;
        while (at < to && query.charAt(at) == '=') {
            at++;
        }
        return at;
    }

    /**
     * Like {@code String.indexOf}, but stops at {@code to}. Otherwise, a query with a megabyte of ampersands would take
     * quadratic time.
     */
    private static int indexOf(String query, char sought, int from, int to) {
        int at = from;
        while (at < to && query.charAt(at) != sought) {
            at++;
        }
        return at;
    }
}
