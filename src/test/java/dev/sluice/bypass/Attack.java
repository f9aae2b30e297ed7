package dev.sluice.bypass;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request of the corpus. A line is {@code METHOD TARGET | HEADER: VALUE -- where it comes from}; headers may be missing. In it
 * {@code <<0x09>>} stands for a character and {@code <<x*20000>>} for a text that is repeated.
 *
 * @param text the line, without where it comes from
 */
record Attack(String text, String method, String target, List<String> headers) {

    private static final Pattern CHARACTER = Pattern.compile("<<0x([0-9a-f]{2})>>");
    private static final Pattern REPEATED = Pattern.compile("<<([^*>]+)\\*([0-9]+)>>");

    static Attack parse(String line) {
        int origin = line.indexOf(" -- ");
        if (origin < 0) {
            throw new IllegalArgumentException("it is not told where this attack comes from: " + line);
        }
        String text = line.substring(0, origin).strip();
        String[] parts = expanded(text).split(" \\| ", -1);
        int space = parts[0].indexOf(' ');
        return new Attack(
                text,
                parts[0].substring(0, space),
                parts[0].substring(space + 1),
                Arrays.asList(parts).subList(1, parts.length));
    }

    static Attack get(String target) {
        return new Attack("GET " + target, "GET", target, List.of());
    }

    private static String expanded(String text) {
        String repeated = REPEATED.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
        return CHARACTER
                .matcher(repeated)
                .replaceAll(
                        found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
    }

    /** The same on an application that is mounted somewhere. */
    Attack at(String contextPath) {
        boolean isPath = target.startsWith("/") || target.startsWith("\\") || target.startsWith("%");
        return contextPath.isEmpty() || !isPath
                ? this
                : new Attack(text + ", at " + contextPath, method, contextPath + target, headers);
    }
}
