package dev.sluice.config.yaml;

import dev.sluice.text.Visible;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes text of the file fit to be shown: short, on one line, without passwords. */
public final class Quote {

    private static final int LONGEST = 60;
    private static final int LONGEST_SENTENCE = 500;
    /** In a sentence, a uri ends with its word. */
    private static final Pattern CREDENTIALS = Pattern.compile("//\\S*@");

    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}\\p{N}._:/@#+*-]+");

    private Quote() {}

    public static String of(String text) {
        return '"' + plain(text) + '"';
    }

    public static String plain(String text) {
        return Visible.cut(withoutCredentials(text), LONGEST);
    }

    /**
     * A name that a caller has made up, among other words: as it is if nobody can take it for more than a name, else in
     * quotes. Neither cut nor escaped otherwise.
     */
    public static String name(String name) {
        return PLAIN_NAME.matcher(name).matches()
                ? name
                : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** A sentence that quotes the file: longer, but without what is not for the eye. */
    public static String line(@Nullable String sentence) {
        return sentence == null
                ? ""
                : Visible.cut(CREDENTIALS.matcher(sentence).replaceAll("//***@"), LONGEST_SENTENCE);
    }

    private static String withoutCredentials(String text) {
        int from = text.indexOf("//");
        int to = text.lastIndexOf('@');
        return from < 0 || to < from ? text : text.substring(0, from) + "//***" + text.substring(to);
    }
}
