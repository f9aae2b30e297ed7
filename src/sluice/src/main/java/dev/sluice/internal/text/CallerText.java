package dev.sluice.internal.text;

import dev.sluice.Subject;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats a caller in the form of all outputs and commands: {@code tenant=acme}, or {@code tenant=acme, user=eve} if
 * there are several subjects. Does not escape anything. The values are client-supplied, so the text must be escaped
 * with {@link SafeText} before it is shown.
 */
public final class CallerText {

    private static final String ADDRESS = "ip";
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}\\p{N}._:/@#+*-]+");

    private CallerText() {}

    /** The whole caller. Marks addresses, so that no caller can supply a value that looks like an address. */
    public static String of(List<Subject> caller) {
        return of(caller, subject -> quoted(subject.value()) + byAddress(subject));
    }

    /** The whole caller, with values formatted by this function. */
    public static String of(List<Subject> caller, Function<Subject, String> values) {
        return caller.isEmpty()
                ? "all callers together"
                : caller.stream()
                        .map(subject -> subject.name() + '=' + values.apply(subject))
                        .collect(Collectors.joining(", "));
    }

    /** A subject with its value, for example {@code tenant=acme}. */
    public static String pair(String subject, String value) {
        return subject + '=' + quoted(value);
    }

    /** A client-supplied name for use in a sentence. It is in quotes unless it clearly is a single name. */
    public static String quoted(String name) {
        return PLAIN_NAME.matcher(name).matches()
                ? name
                : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** A note if the address replaces the missing value of a subject; otherwise empty. */
    public static String byAddress(Subject subject) {
        return subject.source().equals(ADDRESS) && !subject.name().equals(ADDRESS) ? " (by ip)" : "";
    }
}
