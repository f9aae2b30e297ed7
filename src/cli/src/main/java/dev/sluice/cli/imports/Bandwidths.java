package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.draft.TierDraft;
import java.time.Duration;
import java.util.Map;

/**
 * Converts bandwidths to tiers. A bandwidth becomes a token bucket if its tokens are added one by one, and a fixed
 * window if they are added all at once.
 */
final class Bandwidths {

    private static final Map<String, Duration> UNITS = Map.of(
            "nanos", Duration.ofNanos(1),
            "micros", Duration.ofNanos(1_000),
            "millis", Duration.ofMillis(1),
            "seconds", Duration.ofSeconds(1),
            "minutes", Duration.ofMinutes(1),
            "hours", Duration.ofHours(1),
            "halfdays", Duration.ofHours(12),
            "days", Duration.ofDays(1));

    private static final String NO_UNIT =
            " is not a unit of the starter, which supports millis, seconds, minutes, hours and days";

    private Bandwidths() {}

    /**
     * Adds the tiers of a limit. If a bandwidth cannot become a tier, returns the reason; otherwise returns an empty
     * text.
     */
    static String read(SpringSettings limit, EndpointDraft endpoint) {
        for (SpringSettings bandwidth : limit.maps("bandwidths")) {
            String problem = tier(bandwidth, endpoint);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return endpoint.tiers().isEmpty() ? "it has no bandwidths" : "";
    }

    private static String tier(SpringSettings bandwidth, EndpointDraft endpoint) {
        Long capacity = bandwidth.number("capacity");
        Long time = bandwidth.number("time");
        Duration unit = bandwidth.word("unit", "", UNITS, NO_UNIT);
        if (unit == null || capacity == null || time == null || capacity == 0 || time == 0) {
            return "a bandwidth needs a capacity, a time and a unit, all above 0 (line "
                    + bandwidth.position().line() + ")";
        }
        if (time > 1_000_000_000_000L / Math.max(1, unit.toMillis())) {
            return "its period is too long for a tier";
        }
        Duration period = unit.multipliedBy(time);
        if (period.toMillis() == 0 || period.toNanos() % 1_000_000 != 0) {
            return "its period is not a whole number of milliseconds";
        }
        Long refill = bandwidth.number("refillcapacity");
        initial(bandwidth, capacity, endpoint);
        Duration step = intervalOfOldVersions(bandwidth, period, endpoint);
        boolean greedy = bandwidth.text("refillspeed", "greedy").equalsIgnoreCase("greedy") && step.isZero();
        long tokens = refill == null ? capacity : refill;
        endpoint.tier(
                greedy
                        ? new TierDraft(period, tokens, capacity)
                        : interval(bandwidth, step.isZero() ? period : step, capacity, tokens, endpoint));
        // An id does not affect decisions, so this call only marks it as read, and we add no remark.
        bandwidth.has("id");
        bandwidth.unread().forEach(key -> endpoint.remarkUnknown(bandwidth.position(key), bandwidth.written(key)));
        return "";
    }

    private static TierDraft interval(
            SpringSettings bandwidth, Duration period, long capacity, long refill, EndpointDraft endpoint) {
        if (refill >= capacity) {
            endpoint.remark(
                    Kind.DIFFERENT,
                    bandwidth.position(),
                    "tokens that are added all at once become a fixed window; here windows begin at multiples of the"
                            + " period, not at a caller's first call");
            return TierDraft.fixedWindow(period, capacity);
        }
        endpoint.remark(
                Kind.DIFFERENT,
                bandwidth.position(),
                "here the tokens of an interval are added one by one, not all at its end");
        return new TierDraft(period, refill, capacity);
    }

    private static void initial(SpringSettings bandwidth, long capacity, EndpointDraft endpoint) {
        Long initial = bandwidth.number("initialcapacity");
        if (initial != null && initial < capacity) {
            endpoint.remark(
                    Kind.LOOSER,
                    bandwidth.position("initialcapacity"),
                    "here a new caller starts with all " + capacity + " tokens, not with " + initial);
        }
    }

    /**
     * Reads the {@code fixed-refill-interval}, which older versions of the starter used instead of {@code
     * refill-speed}. Returns zero unless a single interval fills the bucket. If filling the bucket takes several
     * intervals, no algorithm of Sluice behaves in the same way. In that case, a remark explains that tokens are added
     * one by one.
     */
    private static Duration intervalOfOldVersions(SpringSettings bandwidth, Duration period, EndpointDraft endpoint) {
        Long interval = bandwidth.number("fixedrefillinterval");
        Duration unit = bandwidth.word("fixedrefillintervalunit", "minutes", UNITS, NO_UNIT);
        if (interval == null || interval == 0 || unit == null) {
            return Duration.ZERO;
        }
        Duration step = unit.multipliedBy(Math.min(interval, 1_000_000_000_000L / Math.max(1, unit.toMillis())));
        if (step.compareTo(period) >= 0 && step.toNanos() % 1_000_000 == 0) {
            return step;
        }
        endpoint.remark(
                Kind.DIFFERENT,
                bandwidth.position("fixedrefillinterval"),
                "tokens were added in steps of this interval; here they are added one by one");
        return Duration.ZERO;
    }
}
