package dev.sluice.cli.imports.source;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value.Text;
import org.jspecify.annotations.Nullable;

/** How a program reads keys and values of its YAML. */
@FunctionalInterface
public interface Notation {

    /** Keys and values as they are written. */
    Notation PLAIN = key -> key;

    /** The key in the spelling by which it is asked for. */
    String key(String written);

    /** The value with all placeholders resolved; {@code null} if one has no value, which is reported. */
    default @Nullable String value(Text text, Findings findings) {
        return text.content();
    }
}
