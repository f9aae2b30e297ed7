package dev.sluice.tier;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;

/** Validates the figures of limits, and multiplies limits. */
final class LimitChecks {

    static final long MAX_THRESHOLD = 1_000_000_000_000L;

    static final Duration MAX_PERIOD = Duration.ofDays(366);

    /**
     * The maximum number of units per token. If it were larger, the time since 1970 in these units would overflow a
     * {@code long}.
     */
    private static final long FINEST = 1_000_000;

    private static final Duration LONGEST_FILLING = Duration.ofDays(3660);

    private LimitChecks() {}

    static void check(long threshold, long mostThreshold, Duration period) {
        if (threshold < 1 || threshold > mostThreshold) {
            throw new IllegalArgumentException(
                    "threshold must be from 1 to " + mostThreshold + ", but is " + threshold);
        }
        if (period.toMillis() < 1 || period.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "period must be from 1 ms to " + MAX_PERIOD.toDays() + " days, but is " + period);
        }
    }

    static void checkFlow(long threshold, Duration period, long burst) {
        if (nearestFlow(threshold, period) != threshold) {
            throw new IllegalArgumentException("a bucket cannot refill exactly with " + threshold + " in " + period
                    + "; choose rounder figures, such as " + nearestFlow(threshold, period) + " in " + period);
        }
        if (burst < 1 || burst > mostHeld(threshold, period)) {
            throw new IllegalArgumentException("burst must be from 1 to " + mostHeld(threshold, period) + ", but is "
                    + burst + "; a larger bucket would take over " + LONGEST_FILLING.toDays()
                    + " days to fill, or overflow");
        }
    }

    static long mostHeld(long threshold, Duration period) {
        double held = (double) LONGEST_FILLING.toMillis() / period.toMillis() * threshold;
        return (long) Math.min(MAX_THRESHOLD, held);
    }

    static long nearestFlow(long threshold, Duration period) {
        long millis = period.toMillis();
        BigInteger divisor = BigInteger.valueOf(threshold).gcd(BigInteger.valueOf(millis));
        return threshold / divisor.longValueExact() <= FINEST
                ? threshold
                : Math.max(1, Math.min(FINEST, threshold / millis)) * millis;
    }

    /** Multiplies a number of calls, and rounds the product down, but not below 1. */
    static long times(long calls, BigDecimal factor, long most) {
        BigDecimal product = BigDecimal.valueOf(calls).multiply(factor).setScale(0, RoundingMode.FLOOR);
        return product.max(BigDecimal.ONE).min(BigDecimal.valueOf(most)).longValueExact();
    }

    /** Multiplies a refill rate, and rounds the product down to a rate that a bucket supports, but not below 1. */
    static long flowTimes(long threshold, Duration period, BigDecimal factor) {
        long product = times(threshold, factor, MAX_THRESHOLD);
        for (long step = 1; step < FINEST; step *= 10) {
            long rounder = product - product % step;
            if (nearestFlow(rounder, period) <= product) {
                return nearestFlow(rounder, period);
            }
        }
        return FINEST; // smaller than the product, because all products up to this value are supported
    }
}
