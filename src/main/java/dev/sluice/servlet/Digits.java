package dev.sluice.servlet;

/** Numbers as text; the small ones, which most header values are, without making a new string each time. */
final class Digits {

    private static final String[] SMALL = new String[1024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Integer.toString(i);
        }
    }

    private Digits() {}

    static String of(long number) {
        return number >= 0 && number < SMALL.length ? SMALL[(int) number] : Long.toString(number);
    }
}
