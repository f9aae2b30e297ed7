package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.internal.text.Sha256;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Computes the key of a subject. The key identifies a caller in counters and reports. The key of a secret is its hash.
 * The key of any other value is the value itself, or its digest if the value is long or looks like a hash. The three
 * kinds of keys cannot be confused. A hash has 23 characters, and a digest has 71. A value that has such a length and
 * form is never used as its own key.
 */
public final class SubjectKey {

    private static final int LONGEST = 64;
    private static final String DIGEST_MARK = "sha256-";
    private static final Pattern DIGEST = Pattern.compile(DIGEST_MARK + "[0-9a-f]{64}");
    private static final int USUAL_PREFIX = 64;
    private static final CallerAddress ADDRESSES = new CallerAddress(List.of(), USUAL_PREFIX, () -> {});

    private SubjectKey() {}

    /** Returns the key of the value that a source yields for a call; empty if it yields no value. */
    public static String in(SubjectSource source, Call call) {
        String found = source.resolver().resolve(call);
        return found == null || found.isEmpty() ? "" : of(source, found);
    }

    /** Returns the key of a source's value. */
    public static String of(SubjectSource source, String found) {
        return source.isSecret() ? source.keyOf(found) : plain(found);
    }

    /** Returns the key of a value that comes from a person or the store. Hashes and digests are returned unchanged. */
    public static String ofNamed(String named) {
        return SecretDigest.isHash(named) || DIGEST.matcher(named).matches() ? named : plain(named);
    }

    /**
     * Returns the key of a value that a person has written for a subject. A text that looks like a hash is treated as a
     * hash, because people copy hashes from logs. If the subject has both secret sources and {@code ip}, an address is
     * treated as an address.
     *
     * @param chain the sources of the subject
     * @param named the text that the person has written
     */
    public static String of(List<SubjectSource> chain, String named) {
        if (SecretDigest.isHash(named) || isAddress(chain, named)) {
            return named;
        }
        return chain.stream()
                .filter(SubjectSource::isSecret)
                .findFirst()
                .map(source -> source.keyOf(named))
                .orElse(named);
    }

    /** Whether a person might have typed a secret in plain text where its hash is required. */
    public static boolean mayBeClearSecret(List<SubjectSource> chain, String named) {
        return chain.stream().anyMatch(SubjectSource::isNamedSecret)
                && !SecretDigest.isHash(named)
                && !isAddress(chain, named);
    }

    /**
     * Whether this value must be a secret in plain text, because no source that is not secret can have such a value.
     */
    public static boolean isClearSecret(List<SubjectSource> chain, String named) {
        return mayBeClearSecret(chain, named)
                && chain.stream()
                        .allMatch(source ->
                                source.isNamedSecret() || source.name().equals("ip"));
    }

    /** Whether this value can come only from the {@code ip} source, and {@code ip} is not secret in this chain. */
    public static boolean isAddress(List<SubjectSource> chain, String named) {
        return chain.stream().anyMatch(source -> source.name().equals("ip")) && ADDRESSES.normalised(named) != null;
    }

    private static String plain(String value) {
        return value.length() <= LONGEST && !SecretDigest.isHash(value) ? value : DIGEST_MARK + Sha256.hex(value);
    }
}
