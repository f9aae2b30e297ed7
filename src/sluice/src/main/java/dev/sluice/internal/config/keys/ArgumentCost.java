package dev.sluice.internal.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.tier.Limit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * Reads the cost of a method call from one of its arguments. Fractions are rounded up, and the cost is at least 1.
 *
 * @param otherwise the cost if the argument is missing or is not a number
 */
record ArgumentCost(String argument, long otherwise) implements CostResolver {

    private static final BigDecimal MOST = BigDecimal.valueOf(Limit.MAX_THRESHOLD);

    /**
     * The pattern of a number as Java prints it. It limits the number of digits and the size of the exponent, because
     * rounding a short text such as {@code 1E999999999} would take gigabytes of memory.
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
                : otherwise;
    }
}
