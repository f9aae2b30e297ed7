package dev.sluice;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that no request is behind: all that is known of it are the subjects that code gives. Immutable.
 */
public final class GivenSubjects implements Call {

    private final Map<String, String> values;

    /**
     * A call of a method.
     *
     * @param subjects values by the name of a subject or of a source, such as {@code tenant} or {@code argument:customerId}
     */
    public GivenSubjects(Map<String, ?> subjects) {
        values = subjects.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, given -> String.valueOf(given.getValue())));
    }

    /** What was given. */
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
