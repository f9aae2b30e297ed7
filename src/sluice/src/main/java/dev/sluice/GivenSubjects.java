package dev.sluice;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Call} without a request. Application code supplies the subjects that identify its caller. {@link
 * RateLimiter#run} creates such a call from its map. Immutable and thread-safe.
 */
public final class GivenSubjects implements Call {

    private final Set<String> names;
    private final Map<String, String> values;

    /**
     * Creates the call.
     *
     * @param subjects the values, by the name of a subject or source such as {@code tenant} or {@code
     *     argument:customerId}. {@code null} and an empty {@link Optional} mean that there is no value
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
     * The text of a value, such as a method argument, in keys and reports; {@code null} for {@code null} and for an
     * empty {@link Optional}.
     */
    public static @Nullable String textOf(@Nullable Object given) {
        Object present = given instanceof Optional<?> optional ? optional.orElse(null) : given;
        return present == null ? null : String.valueOf(present);
    }

    /** All given names, with or without a value. */
    public Set<String> names() {
        return names;
    }

    /** The given values, by name. */
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
