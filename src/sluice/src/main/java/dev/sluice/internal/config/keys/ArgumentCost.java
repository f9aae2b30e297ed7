package dev.sluice.internal.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.tier.Limit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * Reads the cost of a method call from one of its arguments. Fractions are rounded up. The cost is 1 if the argument is
 * missing, is not a number, or is below 1.
 */
record ArgumentCost(String argument) implements CostResolver {

    private static final BigDecimal MOST = BigDecimal.valueOf(Limit.MAX_THRESHOLD);

    /**
     * The numbers that Java types print. Digits and exponent are bounded, because rounding a text as short as {@code
     * 1E999999999} would otherwise take gigabytes.
     */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,400}(\\.[0-9]{1,400})?(E[+-]?[0-9]{1,3})?");

    @Override
    public long resolve(Call call) {
        String value = call.argument(argument);
        String text = value == null ? "" : value.strip();
        return NUMBER.matcher(text).matches()
                ? new BigDecimal(text)
                        .setScale(0, RoundingMode.CEILING)
                        .max(BigDecimal.ONE)
                        .min(MOST)
                        .longValue()
                : 1;
    }
}
