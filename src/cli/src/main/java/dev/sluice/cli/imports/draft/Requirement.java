package dev.sluice.cli.imports.draft;

import java.util.List;

/**
 * The value that a source must yield for the limit to apply to a call.
 *
 * @param presence {@code present}, {@code absent}, or empty if the values matter
 * @param values the alternatives. The source must yield one of them; {@code *} matches any characters
 */
public record Requirement(String presence, List<String> values) {

    public static final Requirement PRESENT = new Requirement("present", List.of());
    public static final Requirement ABSENT = new Requirement("absent", List.of());

    public static Requirement oneOf(List<String> values) {
        return new Requirement("", List.copyOf(values));
    }

    /** Whether the two requirements contradict each other, so that a call cannot meet both. */
    public boolean excludes(Requirement other) {
        if (this.equals(ABSENT) || other.equals(ABSENT)) {
            return !this.equals(other);
        }
        boolean exact = values.stream().noneMatch(value -> value.contains("*"))
                && other.values.stream().noneMatch(value -> value.contains("*"));
        return exact
                && !values.isEmpty()
                && !other.values.isEmpty()
                && values.stream().noneMatch(other.values::contains);
    }

    String yaml() {
        if (!presence.isEmpty()) {
            return presence;
        }
        boolean single = values.size() == 1 && !values.get(0).matches("present|absent");
        return single ? YamlText.of(values.get(0)) : YamlText.list(values);
    }
}
