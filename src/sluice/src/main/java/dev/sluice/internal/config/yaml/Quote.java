package dev.sluice.internal.config.yaml;

import dev.sluice.internal.text.SafeText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Quotes text from the file in messages. The quoted text is shortened, and contains neither line breaks nor passwords.
 */
public final class Quote {

    private static final int LONGEST = 60;
    /** Matches a word in a sentence. A word can be a URI. */
    private static final Pattern WORD = Pattern.compile("\\S++");

    private Quote() {}

    public static String of(String text) {
        return '"' + plain(text) + '"';
    }

    public static String plain(String text) {
        return SafeText.cut(withoutCredentials(text), LONGEST);
    }

    /** Puts a sentence on one line and removes passwords, because the sentence might quote the file. */
    public static String line(String sentence) {
        return SafeText.line(
                WORD.matcher(sentence).replaceAll(word -> Matcher.quoteReplacement(withoutCredentials(word.group()))));
    }

    /** Returns an exception's message on one line and without passwords, or the class name if there is no message. */
    public static String message(Throwable thrown) {
        return line(String.valueOf(thrown.getMessage() == null ? thrown : thrown.getMessage()));
    }

    private static String withoutCredentials(String text) {
        int from = text.indexOf("//");
        int to = text.lastIndexOf('@');
        return from < 0 || to < from ? text : text.substring(0, from) + "//***" + text.substring(to);
    }
}
