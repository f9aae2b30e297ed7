package dev.sluice.cli.rehearse.tally;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Formats and parses fractions in the notations that people use. */
public final class Percentages {

    private Percentages() {}

    /** Returns the part as a fraction of the whole, from 0 to 1. */
    public static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    /**
     * Formats the fraction as a percentage, for example {@code 0.12%}. Only 0 is formatted as 0%, and only 1 as 100%.
     */
    public static String text(double part) {
        if (part <= 0) {
            return "0%";
        }
        BigDecimal percent = BigDecimal.valueOf(part * 100);
        BigDecimal shown = percent.compareTo(BigDecimal.TEN) >= 0
                ? percent.setScale(1, part < 1 ? RoundingMode.DOWN : RoundingMode.HALF_EVEN)
                : percent.round(new MathContext(2, RoundingMode.HALF_EVEN));
        return shown.stripTrailingZeros().toPlainString() + "%";
    }

    /**
     * Parses a fraction such as {@code 0.1%} or {@code 0.001}. Returns a negative number if the text is not a number
     * from 0 to 1.
     */
    public static double parse(String text) {
        try {
            boolean isPercent = text.endsWith("%");
            double number = Double.parseDouble(isPercent ? text.substring(0, text.length() - 1) : text);
            double part = isPercent ? number / 100 : number;
            return part >= 0 && part <= 1 ? part : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
