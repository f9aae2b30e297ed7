package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value;
import org.jspecify.annotations.Nullable;

/** The form that a value must have. A shape converts the value, or reports what is wrong with it. */
@FunctionalInterface
public interface Shape<T> {

    /** Converts the value. If the value has a different form, reports an error and returns {@code null}. */
    @Nullable T read(Value value, Findings findings);

    /** Returns this shape, followed by a step that checks the value or converts it further. */
    default <R> Shape<R> then(Step<T, R> next) {
        return (value, findings) -> {
            T read = read(value, findings);
            return read == null ? null : next.read(read, findings);
        };
    }

    /** Checks or converts a value that a shape has read. */
    @FunctionalInterface
    interface Step<T, R> {

        /** Converts the value. If the value is invalid, reports an error and returns {@code null}. */
        @Nullable R read(T read, Findings findings);
    }
}
