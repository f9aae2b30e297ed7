package dev.sluice.benchmarks.fleet.rig;

import java.util.Locale;

/** A target, with the figure that was reached. */
public record Figure(String what, double reached, double atMost) {

    public boolean isMet() {
        return reached <= atMost;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%-6s %-115s %10.3f  (at most %.3f)", isMet() ? "met" : "MISSED", what, reached, atMost);
    }
}
