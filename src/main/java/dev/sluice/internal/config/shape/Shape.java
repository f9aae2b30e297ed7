package dev.sluice.internal.config.shape;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value;
import org.jspecify.annotations.Nullable;

/** The form that a value must have: reads the value, or reports what is wrong with it. */
@FunctionalInterface
public interface Shape<T> {

    /** The value in its proper type; {@code null}, after a report, if it has another form. */
    @Nullable T read(Value value, Findings findings);

    /** This shape, followed by another step that checks or converts the value. */
    default <R> Shape<R> then(Step<T, R> next) {
        return (value, findings) -> {
            T read = read(value, findings);
            return read == null ? null : next.read(read, findings);
        };
    }

    /** Checks or converts a value that was read. */
    @FunctionalInterface
    interface Step<T, R> {

        /** The converted value; {@code null}, after a report, if it is wrong. */
        @Nullable R read(T read, Findings findings);
    }
}
