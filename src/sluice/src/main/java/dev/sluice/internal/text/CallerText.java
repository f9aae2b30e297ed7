package dev.sluice.internal.text;

import dev.sluice.Subject;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes a caller as all outputs show it and all commands accept it: {@code tenant=acme}, or {@code tenant=acme,
 * user=eve} if there are several subjects. Nothing is escaped here. A caller chose the values, so the text must go
 * through {@link SafeText} before it is shown.
 */
public final class CallerText {

    private static final String ADDRESS = "ip";
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}\\p{N}._:/@#+*-]+");

    private CallerText() {}

    /** The whole caller. Addresses are marked, so that no caller can choose a value that looks like an address. */
    public static String of(List<Subject> caller) {
        return of(caller, subject -> quoted(subject.value()) + byAddress(subject));
    }

    /** The same, with values in the form that this function gives them. */
    public static String of(List<Subject> caller, Function<Subject, String> values) {
        return caller.isEmpty()
                ? "all callers together"
                : caller.stream()
                        .map(subject -> subject.name() + '=' + values.apply(subject))
                        .collect(Collectors.joining(", "));
    }

    /** One subject with its value, for example {@code tenant=acme}. */
    public static String pair(String subject, String value) {
        return subject + '=' + quoted(value);
    }

    /** A name that a caller chose, for use in a sentence: bare if it clearly is one name, otherwise in quotes. */
    public static String quoted(String name) {
        return PLAIN_NAME.matcher(name).matches()
                ? name
                : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** A note that the address stands in for a subject without a value of its own; otherwise empty. */
    public static String byAddress(Subject subject) {
        return subject.source().equals(ADDRESS) && !subject.name().equals(ADDRESS) ? " (by ip)" : "";
    }
}
