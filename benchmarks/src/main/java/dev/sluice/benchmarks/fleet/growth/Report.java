package dev.sluice.benchmarks.fleet.growth;

import java.util.Locale;

/** Outcomes as people read them. */
final class Report {

    private Report() {}

    static void printHead() {
        System.out.printf(
                Locale.ROOT,
                "%nGrowth: %,d calls a second, dealt evenly. Round trips are an instance's in a second.%n",
                Scene.CALLS_PER_SECOND);
        System.out.printf(
                "%-22s %14s %12s %12s %9s %9s %10s %8s%n",
                "", "commands/call", "round trips", "CPU µs/call", "waits, %", "p99, µs", "p99.9, µs", "refused");
    }

    static void printTitle(Scene scene) {
        System.out.println(scene.title());
    }

    static void print(Outcome o) {
        System.out.printf(
                Locale.ROOT,
                "%-22s %14.2f %12.1f %12.2f %9.3f %9.1f %10.1f %8d%n",
                o.contestant(),
                o.commands(),
                o.roundTrips(),
                o.cpuMicros(),
                o.waits().percent(),
                o.added().p99(),
                o.added().p999(),
                o.refused());
    }
}
