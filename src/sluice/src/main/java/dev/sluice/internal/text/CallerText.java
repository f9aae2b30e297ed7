package dev.sluice.internal.text;

import dev.sluice.Subject;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats callers in the same way for all outputs and commands: {@code tenant=acme}, or {@code tenant=acme, user=eve}
 * if there are several subjects. The result is not escaped. Because clients supply the values, the result must be
 * escaped with {@link SafeText} before it is shown.
 */
public final class CallerText {

    private static final String ADDRESS = "ip";
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}\\p{N}._:/@#+*-]+");

    private CallerText() {}

    /**
     * Formats a caller with all its subjects. Marks addresses, so that a client-supplied value cannot be mistaken for
     * an address.
     */
    public static String of(List<Subject> caller) {
        return of(caller, subject -> quoted(subject.value()) + byAddress(subject));
    }

    /** Formats a caller with all its subjects. The given function formats their values. */
    public static String of(List<Subject> caller, Function<Subject, String> values) {
        return caller.isEmpty()
                ? "all callers together"
                : caller.stream()
                        .map(subject -> subject.name() + '=' + values.apply(subject))
                        .collect(Collectors.joining(", "));
    }

    /** Formats a subject with its value, for example {@code tenant=acme}. */
    public static String pair(String subject, String value) {
        return subject + '=' + quoted(value);
    }

    /**
     * Formats a client-supplied name for use in a sentence. The result is in quotes, unless the name is clearly a
     * single word.
     */
    public static String quoted(String name) {
        return PLAIN_NAME.matcher(name).matches()
                ? name
                : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** A note that the caller's address replaces the missing value of a subject; empty if it does not. */
    public static String byAddress(Subject subject) {
        return subject.source().equals(ADDRESS) && !subject.name().equals(ADDRESS) ? " (by ip)" : "";
    }
}
