package dev.sluice.match;

/** Makes one of all spellings that differ in case: character by character, as texts are compared, so that their length stays. */
final class Folding {

    private Folding() {}

    static String of(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            folded.append(of(text.charAt(i)));
        }
        return folded.toString();
    }

    static char of(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }
}
