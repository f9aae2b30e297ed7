package dev.sluice.internal.match.condition;

import dev.sluice.Call;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A condition that holds if a subject has an expected value.
 *
 * @param subject the name of the subject in the file
 * @param chain the sources of the value in order of preference
 * @param expected the expectation that the value must meet
 */
public record SubjectCondition(String subject, List<SubjectSource> chain, Expected expected)
        implements DescribedCondition {

    public SubjectCondition {
        chain = SubjectSources.identifying(chain);
    }

    /** Accepts or rejects a value. */
    public sealed interface Expected permits Presence, ExpectedValues {

        /** Whether this value is expected. The value is an empty text if no source yields a value. */
        boolean holds(String value);
    }

    /** Expects either any value or no value. */
    public enum Presence implements Expected {
        PRESENT,
        ABSENT;

        @Override
        public boolean holds(String value) {
            return value.isEmpty() == (this == ABSENT);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public boolean holds(Call call, long nowMillis) {
        return expected.holds(SubjectSources.resolve(chain, call));
    }

    /** Returns the subject's value, or the hash of the value if it is secret. */
    @Override
    public String found(Call call, long nowMillis) {
        return SubjectSources.resolveKey(chain, call);
    }

    /** Formats the condition in the file's notation, without secrets. */
    @Override
    public String toString() {
        boolean secret = !(expected instanceof Presence) && chain.stream().anyMatch(SubjectSource::isSecret);
        return subject + ": " + (secret ? "***" : expected);
    }

    /** Compares the sources by name. */
    @Override
    public boolean equals(Object other) {
        return other instanceof SubjectCondition condition
                && condition.subject.equals(subject)
                && condition.expected.equals(expected)
                && condition.names().equals(names());
    }

    @Override
    public int hashCode() {
        return Objects.hash(subject, expected);
    }

    private List<String> names() {
        return chain.stream().map(SubjectSource::name).toList();
    }
}
