package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.text.CallerText;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The calls and refusals of one client at one endpoint. Not thread-safe. */
final class ClientTally {

    private final List<Subject> who;
    private final Window[] windows;
    private long calls;
    private long lastMillis;
    private long refused;
    private long firstRefusedMillis;
    private long lastRefusedMillis;
    /**
     * The number of the refusing tier's windows in which a call was refused. The next field contains the total length
     * of these windows.
     */
    private long refusedWindows;

    private long refusedMillis;
    private long refusedUntilMillis;
    /** The tier that last refused the client. */
    private @Nullable Tier tier;

    private TimeGrid.@Nullable Series series;

    ClientTally(List<Subject> who, int periods) {
        this.who = who;
        this.windows = new Window[periods];
        Arrays.setAll(windows, period -> new Window());
    }

    void call(long nowMillis) {
        calls++;
        lastMillis = nowMillis;
    }

    void refusal(long nowMillis, Tier by) {
        if (refused++ == 0) {
            firstRefusedMillis = nowMillis;
        }
        lastRefusedMillis = nowMillis;
        tier = by;
        if (nowMillis >= refusedUntilMillis) { // the first refusal in a window
            refusedWindows++;
            Windows windows = by.limit().periods();
            long start = windows == null ? nowMillis : windows.startAt(nowMillis);
            long end = windows == null ? nowMillis + 1 : windows.endAt(nowMillis);
            refusedMillis += end - Math.max(refusedUntilMillis, start);
            refusedUntilMillis = end;
        }
    }

    void follow(TimeGrid.@Nullable Series with) {
        series = with;
    }

    /** Returns the client's calls over time; {@code null} unless the client is one of the few clients with a series. */
    TimeGrid.@Nullable Series series() {
        return series;
    }

    List<Subject> who() {
        return who;
    }

    /**
     * Returns the number of the client's calls. If the client was forgotten while it was idle, this includes only the
     * calls since then.
     */
    long calls() {
        return calls;
    }

    /** Returns the time of the client's last call. */
    long lastMillis() {
        return lastMillis;
    }

    long refused() {
        return refused;
    }

    /** Returns the client's demand in windows of the given period. */
    Window window(int period) {
        return windows[period];
    }

    /**
     * Creates a report about the client.
     *
     * @param periodOf a function that returns the index of a limit's period, or -1 if the limit has none
     */
    EndpointReport.Client report(ToIntFunction<Limit> periodOf) {
        long threshold = tier == null ? 0 : tier.limit().threshold();
        int period = tier == null ? -1 : periodOf.applyAsInt(tier.limit());
        long peak = period < 0 ? 0 : windows[period].peak;
        return new EndpointReport.Client(
                CallerText.of(who),
                calls,
                refused,
                TimeText.moment(firstRefusedMillis),
                TimeText.moment(lastRefusedMillis),
                refusedWindows,
                refusedMillis,
                tier == null ? "" : tier.name(),
                threshold,
                peak,
                threshold == 0 ? 0 : Math.round(100.0 * peak / threshold) / 100.0);
    }

    /**
     * The client's demand in windows of one period. It consists of the demand in the current window, and the peak
     * demand of all windows.
     */
    static final class Window {

        long startMillis;
        long endMillis;
        long asked;
        long admitted;
        long peak;
    }
}
