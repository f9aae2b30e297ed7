package dev.sluice.internal.match.caller;

import dev.sluice.SubjectResolver;
import java.net.InetAddress;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the country of a caller: two letters of ISO 3166, in capitals. */
public final class Countries {

    private Countries() {}

    /** The country in a header. The header is trusted, whoever has sent it. */
    public static SubjectResolver ofHeader(String name) {
        return call -> code(call.header(name));
    }

    /**
     * The country of the caller's address.
     *
     * @param countries finds the two letters of an address; {@code null} if they are unknown
     */
    public static SubjectResolver ofAddress(CallerAddress address, Function<InetAddress, @Nullable String> countries) {
        return call -> {
            InetAddress known = address.inet(call);
            return known == null ? null : code(countries.apply(known));
        };
    }

    /**
     * The code in capitals, if the text has two letters or digits, such as {@code T1} for Tor exit nodes; {@code null}
     * for any other text, and for codes that mean an unknown country.
     */
    private static @Nullable String code(@Nullable String text) {
        if (text == null || text.length() != 2 || !isAlphanumeric(text.charAt(0)) || !isAlphanumeric(text.charAt(1))) {
            return null;
        }
        String code = text.toUpperCase(Locale.ROOT);
        return code.equals("XX") ? null : code;
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }
}
