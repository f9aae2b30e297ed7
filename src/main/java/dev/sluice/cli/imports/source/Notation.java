package dev.sluice.cli.imports.source;

import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.Value.Text;
import org.jspecify.annotations.Nullable;

/** How a program reads keys and values of its YAML. */
public interface Notation {

    /** Keys are what they are, and values too. */
    Notation PLAIN = new Notation() {
        @Override
        public String key(String written) {
            return written;
        }

        @Override
        public String value(Text text, Findings findings) {
            return text.content();
        }
    };

    /** The key in the spelling that it is asked for by. */
    String key(String written);

    /** The value with everything put in; {@code null}, after a report, if it cannot be told. */
    @Nullable String value(Text text, Findings findings);
}
