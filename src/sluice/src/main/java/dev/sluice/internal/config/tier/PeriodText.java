package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.shape.Durations;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Calendar;

/** Formats periods for people, to follow the word "in". */
public final class PeriodText {

    private PeriodText() {}

    /** For example {@code 10s}, {@code a month}, {@code a month in Europe/Berlin}. */
    public static String of(Limit limit) {
        return limit.windows() instanceof Calendar calendar ? of(calendar) : Durations.shortest(limit.period());
    }

    /** The same for windows. */
    public static String of(Windows windows) {
        return windows instanceof Calendar calendar
                ? "a " + calendar.unit().word()
                        + (calendar.isUtc() ? "" : " in " + calendar.zone().getId())
                : Durations.shortest(windows.length());
    }
}
