package dev.sluice.benchmarks.fleet.bursts;

import java.util.Locale;

/** Outcomes as people read them. */
final class Report {

    private Report() {}

    static void printHead() {
        System.out.printf(
                "%nBursts of %d new callers each. Early: refused although the limit was not used. A call waits if it"
                        + " takes over 0.5 ms.%n",
                Pattern.CALLERS);
        System.out.printf(
                "%-22s %8s %8s %6s %8s %9s %9s %11s %14s %7s %5s%n",
                "",
                "early, %",
                "callers",
                "over",
                "missing",
                "waits, %",
                "p99, ms",
                "trips/call",
                "commands/call",
                "pushes",
                "late");
    }

    static void printTitle(Pattern pattern) {
        System.out.printf("%s%n", pattern.title());
    }

    /** For a contestant that can not express the pattern's rule. */
    static void printUnknown(String contestant) {
        System.out.printf("%-22s %8s%n", contestant, "-");
    }

    static void print(Outcome o) {
        System.out.printf(
                Locale.ROOT,
                "%-22s %8.1f %8d %6d %8d %9.2f %9.2f %11.2f %14.2f %7d %5d%n",
                o.contestant(),
                o.earlyPercent(),
                o.touched(),
                o.over(),
                o.missing(),
                o.waits().percent(),
                o.waits().p99Millis(),
                o.roundTrips(),
                o.commands(),
                o.pushes(),
                o.late());
    }
}
