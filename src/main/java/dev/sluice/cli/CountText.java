package dev.sluice.cli;

/** Numbers of things in words. */
final class CountText {

    private CountText() {}

    /** For example {@code 1 tier} and {@code 2 tiers}. */
    static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
