package dev.sluice.store.redis.link;

/**
 * Words from outside as they may stand in a message: on one line, with everything escaped that is not printed as it is.
 */
final class OneLine {

    private static final int LONGEST = 300;

    private OneLine() {}

    static String of(String words) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(words.length(), LONGEST); i++) {
            char c = words.charAt(i);
            shown.append(c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return shown.toString();
    }
}
