package dev.sluice.cli.output;

/** Formats a number with its noun in the singular or plural. */
public final class CountText {

    private CountText() {}

    /** Formats the number and the noun, for example {@code 1 tier} or {@code 2 tiers}. */
    public static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
