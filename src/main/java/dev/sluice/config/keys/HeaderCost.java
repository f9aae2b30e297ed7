package dev.sluice.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.tier.Limit;

/**
 * A cost that a header tells. What is no whole number from 1 counts as 1, and what is larger than any limit as that:
 * whoever writes the header can make a call dearer, never free.
 */
record HeaderCost(String header) implements CostResolver {

    private static final int MOST_DIGITS = 18;

    @Override
    public long resolve(Call call) {
        String told = call.header(header);
        return told == null ? 1 : cost(told.strip());
    }

    private static long cost(String told) {
        int first = 0;
        for (int i = 0; i < told.length(); i++) {
            if (told.charAt(i) < '0' || told.charAt(i) > '9') {
                return 1;
            }
            first = first == i && told.charAt(i) == '0' ? i + 1 : first;
        }
        int digits = told.length() - first;
        if (digits == 0) {
            return 1;
        }
        return digits > MOST_DIGITS
                ? Limit.MAX_THRESHOLD
                : Math.min(Limit.MAX_THRESHOLD, Long.parseLong(told, first, told.length(), 10));
    }
}
