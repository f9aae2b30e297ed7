package dev.sluice.benchmarks.fleet;

import java.util.Locale;

/** A figure to reach, and what was reached. */
record Figure(String what, double reached, double atMost) {

    boolean isMet() {
        return reached <= atMost;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%-4s %-100s %10.3f  (at most %.3f)", isMet() ? "pass" : "MISS", what, reached, atMost);
    }
}
