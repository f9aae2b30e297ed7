package dev.sluice.internal.config.yaml;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:default}</code> with values. <code>$${</code> stands for a literal
 * <code>${</code>. A default can contain further variables, but the value of a variable is inserted unchanged.
 * Thread-safe.
 */
public final class Variables {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    private static final int DEEPEST = 10;
    private static final String TOO_LONG = "after its variables are replaced, this text is longer than "
            + Bounds.LONGEST_TEXT + " characters; shorten their values";

    private final UnaryOperator<@Nullable String> lookup;
    private final boolean substituted;

    private Variables(UnaryOperator<@Nullable String> lookup, boolean substituted) {
        this.lookup = lookup;
        this.substituted = substituted;
    }

    /** Returns variables that are looked up among environment variables first, and then among system properties. */
    public static Variables ofProcess() {
        return of(name -> {
            String value = System.getenv(name);
            return value != null ? value : System.getProperty(name);
        });
    }

    /**
     * Returns an object that leaves all text unchanged. It is meant for files in which <code>${</code> has a different
     * meaning.
     */
    public static Variables asWritten() {
        return new Variables(name -> null, false);
    }

    /** Returns variables that are looked up with this function. */
    public static Variables of(UnaryOperator<@Nullable String> lookup) {
        return new Variables(lookup, true);
    }

    /**
     * Converts a text to a value after replacing its variables.
     *
     * @param style the notation of the text; ignored if the text contains a variable
     */
    Value text(FilePosition position, String written, Value.Text.Style style, Findings findings) {
        if (!written.contains("${")) {
            return new Value.Text(position, written, written, style);
        }
        String content = substitute(written, position, findings);
        return content == null
                ? new Value.Broken(position)
                : new Value.Text(position, content, written, Value.Text.Style.SUBSTITUTED);
    }

    /** Replaces all variables in a text. If a variable has no value, reports an error and returns {@code null}. */
    @Nullable String substitute(String text, FilePosition position, Findings findings) {
        return substituted ? substitute(text, 0, position, findings) : text;
    }

    private @Nullable String substitute(String text, int depth, FilePosition position, Findings findings) {
        StringBuilder result = new StringBuilder();
        int at = 0;
        while (true) {
            int next = text.indexOf("${", at);
            if (next < 0) {
                return result.append(text, at, text.length()).toString();
            }
            if (next > at && text.charAt(next - 1) == '$') {
                result.append(text, at, next - 1).append("${");
                at = next + 2;
                continue;
            }
            int end = closingBrace(text, next + 2);
            String value = end < 0 || depth > DEEPEST
                    ? unreadable(end < 0, position, findings)
                    : value(text.substring(next + 2, end), depth + 1, position, findings);
            if (value == null) {
                return null;
            }
            result.append(text, at, next).append(value);
            if (result.length() > Bounds.LONGEST_TEXT) {
                return findings.refuse(ProblemCode.TOO_MUCH, position, TOO_LONG);
            }
            at = end + 1;
        }
    }

    private @Nullable String value(String reference, int depth, FilePosition position, Findings findings) {
        int colon = reference.indexOf(':');
        String name = colon < 0 ? reference : reference.substring(0, colon);
        if (!NAME.matcher(name).matches()) {
            findings.add(
                    ProblemCode.VARIABLE,
                    position,
                    Quote.of("${" + reference + "}")
                            + " does not name a variable; write ${NAME:default}, or $${ for a literal ${");
            return null;
        }
        String value = lookup.apply(name);
        if (value == null && colon < 0) {
            findings.add(
                    ProblemCode.VARIABLE,
                    position,
                    "${" + Quote.plain(name)
                            + "} has no value; set the environment variable or system property, or write ${"
                            + Quote.plain(name) + ":default}");
        }
        return value != null || colon < 0
                ? value
                : substitute(reference.substring(colon + 1), depth, position, findings);
    }

    private static @Nullable String unreadable(boolean open, FilePosition position, Findings findings) {
        String problem = open ? "a ${ is never closed" : "defaults nest variables more than " + DEEPEST + " deep";
        findings.add(ProblemCode.VARIABLE, position, problem + "; write ${NAME:default}, or $${ for a literal ${");
        return null;
    }

    /**
     * Returns the index of the brace that closes the brace before {@code from}; negative if that brace is never closed.
     */
    private static int closingBrace(String text, int from) {
        int open = 1;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            open += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (open == 0) {
                return i;
            }
        }
        return -1;
    }
}
