package dev.sluice.match.text;

/**
 * Makes one of all spellings that differ in case: character by character, as texts are compared, so that their length
 * stays.
 */
public final class Folding {

    private Folding() {}

    public static String of(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            folded.append(of(text.charAt(i)));
        }
        return folded.toString();
    }

    public static char of(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }
}
