package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value;
import org.jspecify.annotations.Nullable;

/** The form that a value must have. It converts the value, or reports what is wrong with it. */
@FunctionalInterface
public interface Shape<T> {

    /** Converts the value. Reports a value of another form, and returns {@code null} for it. */
    @Nullable T read(Value value, Findings findings);

    /** This shape followed by a step that checks or converts the value further. */
    default <R> Shape<R> then(Step<T, R> next) {
        return (value, findings) -> {
            T read = read(value, findings);
            return read == null ? null : next.read(read, findings);
        };
    }

    /** Checks or converts a value that a shape has read. */
    @FunctionalInterface
    interface Step<T, R> {

        /** Converts the value. Reports an invalid value, and returns {@code null} for it. */
        @Nullable R read(T read, Findings findings);
    }
}
