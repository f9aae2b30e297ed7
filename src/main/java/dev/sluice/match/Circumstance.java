package dev.sluice.match;

import dev.sluice.Call;
import dev.sluice.Condition;
import java.util.List;

/** One of the conditions that the file knows. It can tell what it found where it does not hold. */
public sealed interface Circumstance extends Condition permits Schedule, SubjectCondition {

    /** What stands against the expectation in this call, made at this moment, for people to read; empty if there is nothing. */
    String found(Call call, long nowMillis);

    /** Those of which the condition is made; none if it always holds, or is not from the file. */
    static List<Circumstance> of(Condition condition) {
        if (condition instanceof AllOf all) {
            return all.conditions();
        }
        return condition instanceof Circumstance only ? List.of(only) : List.of();
    }
}
