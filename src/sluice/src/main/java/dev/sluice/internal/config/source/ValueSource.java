package dev.sluice.internal.config.source;

import dev.sluice.internal.config.yaml.TextValues;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.limits.ConfigSource;

/**
 * A source whose limits are not stored as text, such as application properties. The limits never change. Thread-safe.
 */
public interface ValueSource extends ConfigSource {

    /**
     * Returns the limits as a map with an {@code endpoints} key.
     *
     * @param texts the converter that turns texts in the source into values
     */
    Value value(TextValues texts);

    /** Unsupported, because the limits are not stored as text. */
    @Override
    default byte[] read() {
        throw new UnsupportedOperationException(name() + " is not a text");
    }
}
