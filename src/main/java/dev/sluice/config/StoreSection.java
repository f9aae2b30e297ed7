package dev.sluice.config;

import dev.sluice.config.Value.Text;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The key {@code store}: where instances count together. Its URI may hold a password, so no message quotes it. */
final class StoreSection {

    private static final String MEMORY = "memory:";
    private static final Set<String> LATER =
            Set.of("redis", "rediss", "redis-sentinel", "redis-cluster", "mongodb", "mongodb+srv");

    private StoreSection() {}

    static void read(Section file) {
        try (Section keys = file.section("store", "{ uri: \"memory:\" }")) {
            keys.optional("uri", StoreSection::uri, MEMORY);
            keys.notYet("onFailure");
        }
    }

    private static @Nullable String uri(Value value, Findings findings) {
        Text text = Shapes.text("the URI of a store", "\"memory:\"").read(value, findings);
        if (text == null || text.content().equals(MEMORY)) {
            return text == null ? null : text.content();
        }
        String scheme = text.content().contains(":")
                ? text.content().substring(0, text.content().indexOf(':'))
                : "";
        if (LATER.contains(scheme)) {
            findings.add(
                    Code.NOT_SUPPORTED_YET,
                    text.place(),
                    "a store at " + scheme + ": is not supported yet; write \"memory:\"");
        } else {
            findings.add(Code.UNKNOWN_STORE, text.place(), "this is not the URI of a store; write \"memory:\"");
        }
        return null;
    }
}
