package dev.sluice.internal.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.tier.Limit;

/**
 * Reads the cost from a header. The cost is capped at the largest threshold. If the header has several values, on
 * separate lines or separated by commas, the cost is the largest of them, because the service might use any of them. A
 * caller can therefore neither make a call free nor hide a large value behind a small one.
 *
 * @param otherwise the cost if the header is missing, is zero, or is not a whole number
 */
record HeaderCost(String header, long otherwise) implements CostResolver {

    private static final int MOST_DIGITS = 18;

    @Override
    public long resolve(Call call) {
        String first = call.header(header); // an earlier filter might have overridden only this method
        long most = first == null ? 0 : most(first);
        for (String line : call.headers(header)) {
            most = Math.max(most, most(line));
        }
        return most == 0 ? otherwise : most;
    }

    private long most(String line) {
        long most = 0;
        int start = 0;
        while (start <= line.length()) {
            int comma = line.indexOf(',', start);
            int end = comma < 0 ? line.length() : comma;
            most = Math.max(most, cost(line.substring(start, end).strip(), otherwise));
            start = end + 1;
        }
        return most;
    }

    /** Parses a whole number. Returns {@code otherwise} if the text is zero or is not a whole number. */
    static long cost(String value, long otherwise) {
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
