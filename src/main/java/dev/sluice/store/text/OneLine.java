package dev.sluice.store.text;

/**
 * Words from outside as they may stand in a message: on one line, with everything escaped that is not printed as it is.
 */
public final class OneLine {

    private static final int LONGEST = 300;

    private OneLine() {}

    public static String of(String words) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(words.length(), LONGEST); i++) {
            char c = words.charAt(i);
            shown.append(c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return shown.toString();
    }
}
