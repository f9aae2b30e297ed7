package dev.sluice.config.shape;

import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.Value;
import org.jspecify.annotations.Nullable;

/** What a value has to look like; knows how to read it and what to say if it looks otherwise. */
@FunctionalInterface
public interface Shape<T> {

    /** The value in its proper type; {@code null}, after a report, if it has not this shape. */
    @Nullable T read(Value value, Findings findings);

    /** The shape of what the next step can read from what this one has read. */
    default <R> Shape<R> then(Step<T, R> next) {
        return (value, findings) -> {
            T read = read(value, findings);
            return read == null ? null : next.read(read, findings);
        };
    }

    /** Reads further from what has been read so far. */
    @FunctionalInterface
    interface Step<T, R> {

        /** The same in another type; {@code null}, after a report, if it is wrong. */
        @Nullable R read(T read, Findings findings);
    }
}
