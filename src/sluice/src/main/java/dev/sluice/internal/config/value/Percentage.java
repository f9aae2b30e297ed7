package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses percentages such as {@code 10%} and {@code 2.5%}. */
public final class Percentage {

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,3})?)%");

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,3})?)\\s*(%?)");

    private Percentage() {}

    /**
     * Parses a percentage as a fraction, for example {@code 10%} as 0.1. Returns {@code null} if the text is not a
     * percentage.
     */
    public static @Nullable Double parse(String text) {
        Matcher percentage = WRITTEN.matcher(text);
        return percentage.matches() ? Double.parseDouble(percentage.group(1)) / 100 : null;
    }

    /**
     * Guesses which percentage a number, a fraction, or a percentage with a space denotes; {@code null} if there is no
     * guess.
     */
    public static @Nullable String meant(Text text) {
        Matcher number = NUMBER.matcher(text.content());
        if (text.isSubstituted() || !number.matches()) {
            return null;
        }
        BigDecimal figure = new BigDecimal(number.group(1));
        boolean isFraction = number.group(2).isEmpty() && number.group(1).contains(".");
        BigDecimal percent = isFraction ? figure.movePointRight(2) : figure;
        return percent.stripTrailingZeros().toPlainString() + "%";
    }

    /**
     * Returns the shape of a percentage that is greater than {@code above} and at most {@code upTo}. Both bounds are in
     * percent.
     */
    public static Shape<Double> between(int above, int upTo, String example) {
        return Shapes.scalar("a percentage", example).then((text, findings) -> {
            Double part = parse(text.content());
            String meant = meant(text);
            Double known = meant == null ? null : parse(meant);
            boolean isMeant = known != null
                    && known * 100 > above
                    && known * 100 <= upTo
                    && !text.content().equals(meant);
            return part != null && part * 100 > above && part * 100 <= upTo
                    ? part
                    : findings.refuse(
                            ProblemCode.OUT_OF_RANGE,
                            text,
                            " is not a percentage above " + above + "% and at most " + upTo + "%; write"
                                    + (isMeant ? " " + meant : ", for example, " + example));
        });
    }
}
