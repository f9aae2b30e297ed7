package dev.sluice.cli;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.match.Circumstance;
import java.util.List;

/**
 * A condition that keeps a definition from speaking of a call.
 *
 * @param expected as the file writes it
 * @param found what the call has instead, empty if nothing
 */
record Unmet(String expected, String found) {

    static List<Unmet> of(Condition condition, Call call, long nowMillis) {
        return Circumstance.of(condition).stream()
                .filter(one -> !one.holds(call, nowMillis))
                .map(one -> new Unmet(one.toString(), one.found(call, nowMillis)))
                .toList();
    }

    @Override
    public String toString() {
        return expected + " (found " + (found.isEmpty() ? "nothing" : Words.harmless(found)) + ")";
    }
}
