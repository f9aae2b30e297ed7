package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.match.condition.DescribedCondition;
import dev.sluice.text.SafeText;
import java.util.List;

/**
 * A condition of an endpoint that a call does not meet.
 *
 * @param expected as the file writes it
 * @param found what the call has instead, empty if nothing
 */
record UnmetCondition(String expected, String found) {

    static List<UnmetCondition> of(Condition condition, Call call, long nowMillis) {
        return DescribedCondition.of(condition).stream()
                .filter(one -> !one.holds(call, nowMillis))
                .map(one -> new UnmetCondition(one.toString(), one.found(call, nowMillis)))
                .toList();
    }

    @Override
    public String toString() {
        return expected + " (found " + (found.isEmpty() ? "nothing" : SafeText.of(found)) + ")";
    }
}
