package dev.sluice.match.condition;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.SubjectSource;
import java.util.List;
import java.util.stream.Stream;

/** One of the conditions that the file knows. It can tell what it found where it does not hold. */
public sealed interface DescribedCondition extends Condition permits Schedule, SubjectCondition {

    /** What stands against the expectation in this call, made at this moment, for people to read; empty if there is nothing. */
    String found(Call call, long nowMillis);

    /** Those of which the condition is made; none if it always holds, or is not from the file. */
    static List<DescribedCondition> of(Condition condition) {
        if (condition instanceof AllConditions all) {
            return all.conditions();
        }
        return condition instanceof DescribedCondition only ? List.of(only) : List.of();
    }

    /** All that are asked for what the condition depends on. */
    static Stream<SubjectSource> sources(Condition condition) {
        return of(condition).stream()
                .flatMap(one -> one instanceof SubjectCondition subject ? subject.chain().stream() : Stream.empty());
    }
}
