package dev.sluice.config.shape;

import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.Value;
import org.jspecify.annotations.Nullable;

/** What a value has to look like; knows how to read it and what to say if it looks otherwise. */
@FunctionalInterface
public interface Shape<T> {

    /** The value in its proper type; {@code null}, after a report, if it has not this shape. */
    @Nullable T read(Value value, Findings findings);
}
