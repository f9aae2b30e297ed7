package dev.sluice.internal.config.source;

import dev.sluice.internal.config.yaml.TextValues;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.limits.ConfigSource;

/** A source of limits that are no text, such as properties. They never change. Thread-safe. */
public interface ValueSource extends ConfigSource {

    /**
     * The limits: a map with {@code endpoints}.
     *
     * @param texts turns each text of the source into a value
     */
    Value value(TextValues texts);

    /** Not used: the limits are no text. */
    @Override
    default byte[] read() {
        throw new UnsupportedOperationException(name() + " is no text");
    }
}
