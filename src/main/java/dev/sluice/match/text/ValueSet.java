package dev.sluice.match.text;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Some values of a subject: exact ones, which are found by hash, and globs, in which a star stands for any characters.
 */
public final class ValueSet {

    private final List<String> written;
    private final Set<String> exact;
    private final List<Glob> globs;

    private ValueSet(List<String> written) {
        this.written = written;
        this.exact = Set.copyOf(
                written.stream().filter(text -> text.indexOf('*') < 0).toList());
        this.globs = written.stream()
                .filter(text -> text.indexOf('*') >= 0)
                .map(Glob::parse)
                .toList();
    }

    /** Values as the file lists them. */
    public static ValueSet of(List<String> written) {
        return new ValueSet(List.copyOf(written));
    }

    public boolean contains(String value) {
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
        return other instanceof ValueSet set && new TreeSet<>(set.written).equals(new TreeSet<>(written));
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
