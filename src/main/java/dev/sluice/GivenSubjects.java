package dev.sluice;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that no request is behind: all that is known of it are the subjects that code gives. Immutable.
 */
public final class GivenSubjects implements Call {

    private final Set<String> names;
    private final Map<String, String> values;

    /**
     * A call of a method.
     *
     * @param subjects values by the name of a subject or of a source, such as {@code tenant} or {@code argument:customerId};
     *     a subject whose value is {@code null} or an empty {@link Optional} has none
     */
    public GivenSubjects(Map<String, ? extends @Nullable Object> subjects) {
        Map<String, String> present = new HashMap<>();
        subjects.forEach((name, given) -> {
            String text = textOf(given);
            if (text != null) {
                present.put(name, text);
            }
        });
        names = Set.copyOf(subjects.keySet());
        values = Map.copyOf(present);
    }

    /**
     * The text that stands for a value, such as an argument of a method, in keys and limits. {@code null} and an empty {@link
     * Optional} have none.
     */
    public static @Nullable String textOf(@Nullable Object given) {
        Object present = given instanceof Optional<?> optional ? optional.orElse(null) : given;
        return present == null ? null : String.valueOf(present);
    }

    /** The names that were given, also those without a value. */
    public Set<String> names() {
        return names;
    }

    /** The values that were given, by their names. */
    public Map<String, String> values() {
        return values;
    }

    @Override
    public String method() {
        return "";
    }

    @Override
    public String path() {
        return "";
    }

    @Override
    public String ip() {
        return "";
    }

    @Override
    public @Nullable String argument(String name) {
        return values.get("argument:" + name);
    }

    @Override
    public boolean holdsThread() {
        return true;
    }
}
