package dev.sluice.match.condition;

import dev.sluice.Call;
import dev.sluice.Condition;
import java.util.List;
import java.util.stream.Collectors;

/** Holds when all of its conditions do. */
public record AllConditions(List<DescribedCondition> conditions) implements Condition {

    public AllConditions {
        conditions = List.copyOf(conditions);
    }

    /** The shortest way of asking all of these. */
    public static Condition of(List<DescribedCondition> conditions) {
        return conditions.isEmpty()
                ? Condition.ALWAYS
                : conditions.size() == 1 ? conditions.get(0) : new AllConditions(conditions);
    }

    @Override
    public boolean holds(Call call, long nowMillis) {
        for (int i = 0; i < conditions.size(); i++) {
            if (!conditions.get(i).holds(call, nowMillis)) {
                return false;
            }
        }
        return true;
    }

    /** As the file writes it. */
    @Override
    public String toString() {
        return conditions.stream().map(Condition::toString).collect(Collectors.joining(", "));
    }
}
