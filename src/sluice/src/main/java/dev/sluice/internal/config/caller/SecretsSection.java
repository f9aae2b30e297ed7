package dev.sluice.internal.config.caller;

import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.SecretDigest;
import org.jspecify.annotations.Nullable;

/** Reads the {@code secrets} key, which defines how secret values are hashed. Messages never quote the HMAC key. */
final class SecretsSection {

    private static final String EXAMPLE = "\"${SLUICE_SECRET_KEY}\"";
    private static final int SHORTEST = 16;
    private static final int LONGEST = 1024;

    private static final Shape<SecretDigest> KEY =
            Shapes.scalar("a key", EXAMPLE).then(SecretsSection::digest);

    private SecretsSection() {}

    /** Returns the digest for this file's secret values. The digest is unkeyed if the file does not specify a key. */
    static SecretDigest read(Section file) {
        try (Section secrets = file.section("secrets", "{ key: " + EXAMPLE + " }")) {
            SecretDigest keyed = secrets.optional("key", KEY);
            return keyed == null ? SecretDigest.unkeyed() : keyed;
        }
    }

    private static @Nullable SecretDigest digest(Text text, Findings findings) {
        int length = text.content().length();
        return length >= SHORTEST && length <= LONGEST
                ? SecretDigest.keyed(text.content())
                : findings.refuse(
                        ProblemCode.OUT_OF_RANGE,
                        text.position(),
                        "the key has " + length + " characters; write " + SHORTEST + " to " + LONGEST
                                + " random characters, for example the output of openssl rand -base64 32");
    }
}
