package dev.sluice.cli.imports.draft;

import dev.sluice.internal.text.SafeText;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes texts and comments as YAML. A text is written without quotes if it is unambiguous without them. */
public final class YamlText {

    private static final int WIDTH = 110;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/._*-]*");
    /** Words that YAML or the loader would not interpret as text. */
    private static final Set<String> NO_TEXT =
            Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null", "present", "absent");

    private YamlText() {}

    public static String of(String text) {
        boolean plain = text.length() < 200
                && PLAIN.matcher(text).matches()
                && !NO_TEXT.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : quoted(text);
    }

    static String list(Collection<String> texts) {
        return texts.isEmpty() ? "[]" : texts.stream().map(YamlText::of).collect(Collectors.joining(", ", "[ ", " ]"));
    }

    /** Formats a comment, wrapped to lines of readable length. */
    static String comment(String indent, String sentence) {
        StringBuilder comment = new StringBuilder();
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : SafeText.of(sentence).split(" ", -1)) {
            if (line.length() + word.length() >= WIDTH && line.length() > indent.length() + 1) {
                comment.append(line).append('\n');
                line.setLength(0);
                line.append(indent).append("#  ");
            }
            line.append(' ').append(word);
        }
        return comment.append(line).append('\n').toString();
    }

    /**
     * Formats the text in double quotes. The start of a variable is escaped, so that the loader does not replace the
     * variable.
     */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.replace("${", "$${").codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || c == 0x2028
                    || c == 0x2029) {
                quoted.append(String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
