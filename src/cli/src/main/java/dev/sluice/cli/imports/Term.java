package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.internal.config.yaml.Quote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One requirement in a condition.
 *
 * @param source the source that the requirement checks; empty for methods and paths
 * @param values the alternatives; the call must match one of them
 */
record Term(Kind kind, String source, List<String> values) {

    /** The kinds of requirement. */
    enum Kind {
        PRESENT,
        ABSENT,
        IS,
        METHOD,
        /** The path within the application matches one of these patterns. */
        PATH,
        /** The path within the application matches none of these patterns. */
        NOT_PATH,
        /** The whole path, including the context path, matches one of these patterns. */
        URI,
        /** The whole path, including the context path, matches none of these patterns. */
        NOT_URI
    }

    static Term of(Kind kind, String source) {
        return new Term(kind, source, List.of());
    }

    /** Returns the only term in a list; {@code null} if the list does not contain exactly one. */
    static @Nullable Term only(@Nullable List<Term> terms) {
        return terms == null || terms.size() != 1 ? null : terms.get(0);
    }

    /** Describes which part of the call is checked. */
    String about() {
        return switch (kind) {
            case METHOD -> "the method";
            case PATH, NOT_PATH, URI, NOT_URI -> "the path";
            default -> source;
        };
    }

    /** Describes the requirement. */
    String text() {
        return switch (kind) {
            case PRESENT -> "present";
            case ABSENT -> "absent";
            default -> String.join(", ", values.stream().map(Quote::of).toList());
        };
    }

    /** Returns the opposite requirement; {@code null} if it cannot be expressed. */
    @Nullable Term negated() {
        return switch (kind) {
            case PRESENT -> of(Kind.ABSENT, source);
            case ABSENT -> of(Kind.PRESENT, source);
            case PATH -> new Term(Kind.NOT_PATH, source, values);
            case NOT_PATH -> new Term(Kind.PATH, source, values);
            case URI -> new Term(Kind.NOT_URI, source, values);
            case NOT_URI -> new Term(Kind.URI, source, values);
            case IS, METHOD -> null;
        };
    }

    /** Whether the two terms contradict each other, so that a call cannot meet both. */
    boolean excludes(Term other) {
        if (kind == Kind.METHOD && other.kind == Kind.METHOD) {
            return values.stream().noneMatch(other.values::contains);
        }
        return !source.isEmpty() && source.equals(other.source) && requirement().excludes(other.requirement());
    }

    /** Returns the requirement in the form that {@code when} uses. */
    Requirement requirement() {
        return switch (kind) {
            case ABSENT -> Requirement.ABSENT;
            case IS -> Requirement.oneOf(values);
            default -> Requirement.PRESENT;
        };
    }
}
