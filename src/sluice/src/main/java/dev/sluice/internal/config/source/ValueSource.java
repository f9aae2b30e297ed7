package dev.sluice.internal.config.source;

import dev.sluice.internal.config.yaml.TextValues;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.limits.ConfigSource;

/** A source whose limits are not a text, such as application properties. They never change. Thread-safe. */
public interface ValueSource extends ConfigSource {

    /**
     * The limits: a map with {@code endpoints}.
     *
     * @param texts turns each text of the source into a value
     */
    Value value(TextValues texts);

    /** Not supported, since the limits are not a text. */
    @Override
    default byte[] read() {
        throw new UnsupportedOperationException(name() + " is not a text");
    }
}
