package dev.sluice.cli.top;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.instance.report.ReportedRefusals.RefusedCaller;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Formats a snapshot for a terminal. Escapes control characters in names, because callers choose the names. */
final class TopTable {

    private static final String NEAREST = "%5s  %-19s %8s  %-8s  %-24s %-14s %s";
    private static final String REFUSED = "%9s  %12s  %-20s  %-9s  %-24s %-14s %s";
    private static final String BLOCKED = "%9s  %-20s  %15s  %-24s %-14s %s";
    /** The maximum length of a displayed tier name. The column itself is narrower, because few names are that long. */
    private static final int LONGEST_TIER = 24;

    private static final int LONGEST_CALLER = 80;

    private TopTable() {}

    static List<String> lines(String store, Snapshot snapshot) {
        List<String> lines = new ArrayList<>();
        lines.add(store + " at " + TimeText.moment(snapshot.nowMillis()) + ": "
                + CountText.of(snapshot.instances(), "instance") + ", "
                + CountText.of(snapshot.looked(), "counter"));
        String left = leftOut(snapshot);
        if (!left.isEmpty()) {
            lines.add(left);
        }
        lines.add("");
        lines.add("Callers nearest their limits");
        lines.add(String.format(NEAREST, "%", "used of limit", "held", "reset in", "endpoint", "tier", "caller")
                .stripTrailing());
        snapshot.nearest().forEach(one -> lines.add(nearest(one, snapshot)));
        lines.addAll(plans(snapshot));
        lines.add("");
        lines.add("Callers refused most often in the last minute");
        lines.add(String.format(REFUSED, "refused", "would refuse", "since", "last", "endpoint", "tier", "caller")
                .stripTrailing());
        snapshot.refused().forEach(one -> lines.add(refused(one, snapshot)));
        // Most files define no blocks, so we show this table only if somebody is blocked.
        if (!snapshot.blocked().isEmpty()) {
            lines.add("");
            lines.add("Callers blocked after too many refusals");
            lines.add(String.format(BLOCKED, "for", "until", "blocks in a row", "endpoint", "tier", "caller"));
            snapshot.blocked().forEach(one -> lines.add(blocked(one, snapshot)));
        }
        return lines;
    }

    /** Explains which counters the tables omit, and why; empty if they omit none. */
    private static String leftOut(Snapshot snapshot) {
        List<String> left = new ArrayList<>();
        if (!snapshot.isComplete()) {
            left.add("There was no time to read all counters, so the tables omit the others (see --scan).");
        }
        if (snapshot.unknown() > 0) {
            left.add("The tables omit " + CountText.of(snapshot.unknown(), "counter")
                    + " of limits that are not in force (see --config).");
        }
        return String.join(" ", left);
    }

    /**
     * Returns a line for each limit that depends on a plan that becomes known only during a call. The line shows where
     * the plan comes from, and the limit for each plan.
     */
    private static Set<String> plans(Snapshot snapshot) {
        Set<String> lines = new LinkedHashSet<>();
        for (StoredUsage one : snapshot.nearest()) {
            String plans = snapshot.plans().get(one.key());
            if (plans != null) {
                lines.add("  ? " + SafeText.cut(one.key().endpoint(), 24) + ", tier "
                        + SafeText.cut(one.tier().name(), LONGEST_TIER) + ": " + plans
                        + "; the table shows the smallest one that is not exceeded");
            }
        }
        return lines;
    }

    private static String nearest(StoredUsage one, Snapshot snapshot) {
        return String.format(
                        NEAREST,
                        one.percent(),
                        one.used() + " of " + one.tier().limit().capacity()
                                + (snapshot.plans().containsKey(one.key()) ? "?" : ""),
                        one.held(),
                        one.resetMillis() == 0 ? "" : TimeText.span(one.resetMillis()),
                        SafeText.cut(method(one.key()) + one.key().endpoint(), 24),
                        SafeText.cut(one.tier().name(), LONGEST_TIER),
                        caller(
                                snapshot.names().of(one.key().subjects()),
                                one.key().subjects()))
                .stripTrailing();
    }

    private static String refused(RefusedCaller one, Snapshot snapshot) {
        long nowMillis = snapshot.nowMillis();
        String name = one.name().isEmpty() ? snapshot.names().of(one.subjects()) : one.name();
        return String.format(
                        REFUSED,
                        one.refused(),
                        one.wouldRefuse(),
                        TimeText.moment(one.sinceMillis()),
                        TimeText.span(Math.max(0, nowMillis - one.lastMillis())) + " ago",
                        SafeText.cut(one.endpoint(), 24),
                        SafeText.cut(one.tier(), LONGEST_TIER),
                        caller(name, one.subjects()))
                .stripTrailing();
    }

    private static String blocked(Block one, Snapshot snapshot) {
        CounterKey key = one.key();
        return String.format(
                        BLOCKED,
                        TimeText.span(one.untilMillis() - snapshot.nowMillis()),
                        TimeText.moment(one.untilMillis()),
                        one.number(),
                        SafeText.cut(method(key) + key.endpoint(), 24),
                        SafeText.cut(key.tier(), LONGEST_TIER),
                        caller(snapshot.names().of(key.subjects()), key.subjects()))
                .stripTrailing();
    }

    private static String method(CounterKey key) {
        return key.method().equals("*") ? "" : key.method() + " ";
    }

    /**
     * Returns the caller's display name or, if it has none, its subjects. The subjects reveal whether the caller is
     * known only by its address.
     */
    private static String caller(String name, List<Subject> subjects) {
        return SafeText.cut(name.isEmpty() ? CallerText.of(subjects) : name, LONGEST_CALLER);
    }
}
