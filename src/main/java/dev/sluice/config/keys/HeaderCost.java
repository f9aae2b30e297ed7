package dev.sluice.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.tier.Limit;

/**
 * A cost that is read from a header. A value above the largest threshold counts as that. So whoever writes the header cannot
 * make a call free.
 *
 * @param otherwise the cost if the header is missing, zero, or no whole number
 */
record HeaderCost(String header, long otherwise) implements CostResolver {

    private static final int MOST_DIGITS = 18;

    @Override
    public long resolve(Call call) {
        String value = call.header(header);
        return value == null ? otherwise : cost(value.strip());
    }

    private long cost(String value) {
        int leadingZeros = 0;
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return otherwise;
            }
            leadingZeros = leadingZeros == i && value.charAt(i) == '0' ? i + 1 : leadingZeros;
        }
        int digits = value.length() - leadingZeros;
        if (digits == 0) {
            return otherwise;
        }
        return digits > MOST_DIGITS
                ? Limit.MAX_THRESHOLD
                : Math.min(Limit.MAX_THRESHOLD, Long.parseLong(value, leadingZeros, value.length(), 10));
    }
}
