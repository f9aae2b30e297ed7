package dev.sluice.cli.imports.source;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value.Text;
import org.jspecify.annotations.Nullable;

/** How a program reads keys and values in its YAML. */
@FunctionalInterface
public interface Notation {

    /** Takes keys and values as they are written. */
    Notation PLAIN = key -> key;

    /** The key in the one spelling that our code uses. */
    String key(String written);

    /** The value with all placeholders resolved; {@code null}, after a report, if one has no value. */
    default @Nullable String value(Text text, Findings findings) {
        return text.content();
    }
}
