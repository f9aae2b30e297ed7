package dev.sluice.internal.match.caller;

import dev.sluice.SubjectResolver;
import java.net.InetAddress;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Determines a caller's country as a two-letter ISO 3166 code in capitals. */
public final class Countries {

    private Countries() {}

    /** Returns a resolver that reads the country from a header. The header is trusted regardless of its sender. */
    public static SubjectResolver ofHeader(String name) {
        return call -> code(call.header(name));
    }

    /**
     * Returns a resolver that looks up the country of the caller's address.
     *
     * @param countries a function that finds the country code of an address. It returns {@code null} if the country is
     *     unknown
     */
    public static SubjectResolver ofAddress(CallerAddress address, Function<InetAddress, @Nullable String> countries) {
        return call -> {
            InetAddress known = address.inet(call);
            return known == null ? null : code(countries.apply(known));
        };
    }

    /**
     * Returns the code in capitals if the text consists of two letters or digits, such as {@code T1} for Tor exit
     * nodes. Returns {@code null} for any other text, and for the code of an unknown country.
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
