package dev.sluice.match.condition;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One of the conditions that the file knows. It can tell what it found where it does not hold. */
public sealed interface DescribedCondition extends Condition permits Schedule, SubjectCondition {

    /**
     * What stands against the expectation in this call, made at this moment, for people to read; empty if there is
     * nothing.
     */
    String found(Call call, long nowMillis);

    /** The sources that are asked for what the condition depends on. */
    default List<SubjectSource> chain() {
        return List.of();
    }

    /** The shortest way of asking whether all of these hold. */
    static Condition all(List<DescribedCondition> conditions) {
        return conditions.isEmpty()
                ? Condition.ALWAYS
                : conditions.size() == 1 ? conditions.get(0) : new All(List.copyOf(conditions));
    }

    /** Those of which the condition is made; none if it always holds, or is not from the file. */
    static List<DescribedCondition> of(Condition condition) {
        if (condition instanceof All all) {
            return all.conditions();
        }
        return condition instanceof DescribedCondition only ? List.of(only) : List.of();
    }

    /** All that are asked for what the condition depends on. */
    static Stream<SubjectSource> sources(Condition condition) {
        return of(condition).stream().flatMap(one -> one.chain().stream());
    }

    /** Holds when all of its conditions do. */
    record All(List<DescribedCondition> conditions) implements Condition {

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
}
