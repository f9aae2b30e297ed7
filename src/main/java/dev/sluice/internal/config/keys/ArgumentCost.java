package dev.sluice.internal.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.tier.Limit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/** A cost that is an argument of a method, a fraction rounded up; 1 if it is missing, zero, negative or no number. */
record ArgumentCost(String argument) implements CostResolver {

    private static final BigDecimal MOST = BigDecimal.valueOf(Limit.MAX_THRESHOLD);

    /** As numbers of all types are written. Its exponent is too small to make a number that takes much memory. */
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
