package dev.sluice.cli.imports.draft;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Texts in YAML: plain if that is unambiguous, otherwise in quotes. */
final class YamlWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/._*-]*");
    /** What readers of YAML may take for something else than a text. */
    private static final Set<String> NO_TEXT =
            Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null", "present", "absent");

    private YamlWord() {}

    static String of(String text) {
        boolean plain = text.length() < 200
                && PLAIN.matcher(text).matches()
                && !NO_TEXT.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : quoted(text);
    }

    static String list(Collection<String> texts) {
        return texts.isEmpty() ? "[]" : texts.stream().map(YamlWord::of).collect(Collectors.joining(", ", "[ ", " ]"));
    }

    /** In double quotes, with the beginning of a variable escaped. */
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
