package dev.sluice.cli.output;

/** Numbers with their noun in the singular or the plural. */
public final class CountText {

    private CountText() {}

    /** The number and the noun, for example {@code 1 tier} and {@code 2 tiers}. */
    public static String of(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
