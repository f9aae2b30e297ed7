package dev.sluice.internal.match.condition;

import dev.sluice.internal.match.glob.Glob;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Expects one of these values: exact values, or globs in which a star stands for any characters. */
public final class ExpectedValues implements SubjectCondition.Expected {

    private final List<String> written;
    private final Set<String> exact;
    private final List<Glob> globs;

    /** Values as the file lists them. */
    public ExpectedValues(List<String> written) {
        this.written = List.copyOf(written);
        this.exact = Set.copyOf(
                written.stream().filter(text -> text.indexOf('*') < 0).toList());
        this.globs = written.stream()
                .filter(text -> text.indexOf('*') >= 0)
                .map(Glob::parse)
                .toList();
    }

    @Override
    public boolean holds(String value) {
        if (value.isEmpty()) {
            return false;
        }
        if (exact.contains(value)) {
            return true;
        }
        for (Glob glob : globs) {
            if (glob.matches(value, 0, value.length(), false)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpectedValues another && new TreeSet<>(another.written).equals(new TreeSet<>(written));
    }

    @Override
    public int hashCode() {
        return Set.copyOf(written).hashCode();
    }

    /** As the file writes it. */
    @Override
    public String toString() {
        return written.size() == 1 ? written.get(0) : "[ " + String.join(", ", written) + " ]";
    }
}
