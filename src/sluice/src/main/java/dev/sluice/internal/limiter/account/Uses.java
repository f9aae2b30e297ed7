package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timestamped calls of one account, for rules that require timestamps. They comprise the unreported calls and the
 * reported calls that the store could still lose. Rules that only add up calls need no times, so their accounts always
 * use {@link #NONE}. Immutable.
 *
 * @param toSkip the number of calls that were reported before their times were known
 * @param unreported the calls to report, including those that the store has lost
 * @param reported the calls that the store has recorded and that are still relevant
 * @param usedAtOnceMillis the time when the store applied the latest grant that it immediately recorded as used
 */
public record Uses(long toSkip, List<Calls> unreported, List<Calls> reported, long usedAtOnceMillis) {

    static final Uses NONE = new Uses(0, List.of(), List.of(), 0);

    /**
     * The maximum number of timestamps in a list. It keeps statements small. In a longer list, neighbouring entries are
     * merged, and the merged entry gets the later time.
     */
    private static final int MOST_TIMES = 128;

    /** The maximum difference between the times that a statement and its answer assign to the same calls. */
    private static final long MOST_APART_MILLIS = 1_000;

    public Uses {
        unreported = List.copyOf(unreported);
        reported = List.copyOf(reported);
    }

    /**
     * The uses in one statement.
     *
     * @param timed the calls with their times
     * @param untimed the number of further calls without known times. It is negative if calls with known times were
     *     refused before their grant arrived, because there are then fewer unreported calls than known times
     * @param untimedMillis the time that is assigned to the further calls
     */
    public record ReportedUse(List<Calls> timed, long untimed, long untimedMillis) {

        public ReportedUse {
            timed = List.copyOf(timed);
        }

        private List<Calls> all() {
            List<Calls> all = new ArrayList<>(timed);
            if (untimed != 0) {
                all.add(new Calls(untimedMillis, untimed));
            }
            return all;
        }

        List<Use> uses(long nowMillis) {
            return all().stream().map(calls -> calls.asUse(nowMillis)).toList();
        }
    }

    /** Returns the reported calls that are still relevant. */
    public List<Use> known(long nowMillis) {
        return reported.stream().map(calls -> calls.asUse(nowMillis)).toList();
    }

    /** Adds the times of calls made since the last statement, oldest first. */
    Uses plus(List<Calls> made, long nowMillis) {
        if (made.isEmpty()) {
            return this;
        }
        long skip = toSkip;
        List<Calls> all = new ArrayList<>(unreported);
        for (Calls calls : made) {
            long skipped = skip > 0
                    ? Math.min(skip, Math.max(0, calls.number()))
                    : Math.max(skip, Math.min(0, calls.number()));
            skip -= skipped;
            if (calls.number() != skipped) {
                all.add(new Calls(Math.min(calls.atMillis(), nowMillis), calls.number() - skipped));
            }
        }
        return new Uses(skip, atMostTimes(all), reported, usedAtOnceMillis);
    }

    /** Creates a report of the given number of calls. The times of some of these calls might be unknown. */
    ReportedUse report(long number, long nowMillis) {
        long untimed = number - timedUnreported();
        return new ReportedUse(unreported, untimed, untimed < 0 ? usedAtOnceMillis : nowMillis);
    }

    /** Returns the number of unreported calls with known times. */
    long timedUnreported() {
        return unreported.stream().mapToLong(Calls::number).sum();
    }

    Uses sent(ReportedUse report) {
        return new Uses(toSkip + report.untimed, List.of(), reported, usedAtOnceMillis);
    }

    /**
     * Records that the store has applied the given report. At the same time, the store also recorded the given number
     * of permits for waiting calls as used.
     */
    Uses applied(ReportedUse report, long usedAtOnce, long appliedMillis, Terms terms, Moment now) {
        List<Calls> known = new ArrayList<>(reported);
        known.addAll(report.all());
        if (usedAtOnce != 0) {
            known.add(new Calls(appliedMillis, usedAtOnce));
        }
        long oldestMillis = now.millis() - terms.limit().useTimesKeptMillis();
        List<Calls> mattering = known.stream()
                .dropWhile(calls -> calls.atMillis() < oldestMillis)
                .toList();
        return new Uses(
                toSkip + usedAtOnce,
                unreported,
                atMostTimes(mattering),
                usedAtOnce != 0 ? appliedMillis : usedAtOnceMillis);
    }

    private static List<Calls> atMostTimes(List<Calls> times) {
        List<Calls> few = times;
        while (few.size() > MOST_TIMES) {
            few = mergedInPairs(few);
        }
        return few;
    }

    private static List<Calls> mergedInPairs(List<Calls> times) {
        List<Calls> merged = new ArrayList<>();
        for (int i = 0; i < times.size(); i += 2) {
            Calls earlier = times.get(i);
            Calls later = i + 1 < times.size() ? times.get(i + 1) : new Calls(earlier.atMillis(), 0);
            merged.add(new Calls(Math.max(earlier.atMillis(), later.atMillis()), earlier.number() + later.number()));
        }
        return merged;
    }

    /** Records that the given report was abandoned because the store has not applied it and never will. */
    Uses failed(ReportedUse report) {
        return new Uses(toSkip - report.untimed, joined(report.timed, unreported), reported, usedAtOnceMillis);
    }

    /** Records that the store has lost the given statement; {@code null} means that everything reported is lost. */
    Uses lost(@Nullable Statement statement, long sentMillis) {
        if (statement == null) {
            return new Uses(toSkip, joined(reported, unreported), List.of(), usedAtOnceMillis);
        }
        List<Calls> lost = new ArrayList<>();
        List<Calls> known = new ArrayList<>(reported);
        for (Use use : statement.uses()) {
            Calls calls = new Calls(sentMillis - use.agoMillis(), use.count());
            removeNearest(known, calls);
            lost.add(calls);
        }
        return new Uses(toSkip, joined(lost, unreported), known, usedAtOnceMillis);
    }

    /**
     * Removes the calls whose time is nearest to that of the given calls. The times recorded for the same calls can
     * differ by the duration of an exchange, because calls that use a grant immediately are recorded at the end of the
     * exchange.
     */
    private static void removeNearest(List<Calls> known, Calls calls) {
        known.stream()
                .filter(one -> one.number() == calls.number())
                .filter(one -> Math.abs(one.atMillis() - calls.atMillis()) <= MOST_APART_MILLIS)
                .min(Comparator.comparingLong(one -> Math.abs(one.atMillis() - calls.atMillis())))
                .ifPresent(known::remove);
    }

    private static List<Calls> joined(List<Calls> first, List<Calls> then) {
        List<Calls> all = new ArrayList<>(first);
        all.addAll(then);
        all.sort(Comparator.comparingLong(Calls::atMillis));
        return atMostTimes(all);
    }
}
