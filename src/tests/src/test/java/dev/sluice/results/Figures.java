package dev.sluice.results;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** Numbers as pages and files show them. */
final class Figures {

    private static final int DIGITS_OF_FILE = 4;

    private Figures() {}

    /** The number for the file. It has all digits before the point, and at least four digits in total. */
    static String plain(double number) {
        BigDecimal exact = BigDecimal.valueOf(number);
        BigDecimal rounded = number >= 1_000
                ? exact.setScale(0, RoundingMode.HALF_UP)
                : exact.round(new MathContext(DIGITS_OF_FILE, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** For people: two digits below 10, none after the point above. */
    static String shown(double number) {
        if (number >= 9.95) {
            return String.format(Locale.ROOT, "%,d", Math.round(number));
        }
        return number == 0
                ? "0"
                : BigDecimal.valueOf(number)
                        .round(new MathContext(2, RoundingMode.HALF_UP))
                        .toPlainString();
    }

    /** A proportion, with two digits after the point. */
    static String ratio(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    /** With its unit, where a table's head does not tell it. Nothing has no unit. */
    static String withUnit(double number, String unit) {
        boolean told = List.of("ns", "µs", "ms", "%").contains(unit) && number != 0;
        return told ? shown(number) + " " + unit : shown(number);
    }
}
