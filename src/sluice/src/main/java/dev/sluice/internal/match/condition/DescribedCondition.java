package dev.sluice.internal.match.condition;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A condition from the file. If the condition does not hold, it can describe the actual value. */
public sealed interface DescribedCondition extends Condition permits Schedule, SubjectCondition {

    /**
     * Describes the call's actual value, to explain why the condition does not hold. The text is empty if there is no
     * value.
     */
    String found(Call call, long nowMillis);

    /** Returns the sources that the condition reads. */
    default List<SubjectSource> chain() {
        return List.of();
    }

    /** Combines these conditions into one that holds if all of them hold. */
    static Condition all(List<DescribedCondition> conditions) {
        return conditions.isEmpty()
                ? Condition.ALWAYS
                : conditions.size() == 1 ? conditions.get(0) : new All(List.copyOf(conditions));
    }

    /** Returns the parts of a condition; empty if the condition always holds or does not come from the file. */
    static List<DescribedCondition> of(Condition condition) {
        if (condition instanceof All all) {
            return all.conditions();
        }
        return condition instanceof DescribedCondition only ? List.of(only) : List.of();
    }

    /** Returns all sources that the condition reads. */
    static Stream<SubjectSource> sources(Condition condition) {
        return of(condition).stream().flatMap(one -> one.chain().stream());
    }

    /** A condition that holds if all its parts hold. */
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

        /** Formats the conditions in the file's notation. */
        @Override
        public String toString() {
            return conditions.stream().map(Condition::toString).collect(Collectors.joining(", "));
        }
    }
}
