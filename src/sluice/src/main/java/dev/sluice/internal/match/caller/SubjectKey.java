package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.internal.text.Sha256;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Computes the key of a subject: the value by which counters and reports know a caller. The key of a secret is its
 * hash. The key of any other value is the value itself, or its digest if the value is long or looks like a hash. The
 * three cannot be confused, because a hash has 23 characters and a digest has 71, and a value of that length and form
 * is never its own key.
 */
public final class SubjectKey {

    private static final int LONGEST = 64;
    private static final String DIGEST_MARK = "sha256-";
    private static final Pattern DIGEST = Pattern.compile(DIGEST_MARK + "[0-9a-f]{64}");
    private static final int USUAL_PREFIX = 64;
    private static final CallerAddress ADDRESSES = new CallerAddress(List.of(), USUAL_PREFIX, () -> {});

    private SubjectKey() {}

    /** The key of the value that a source finds for a call; empty if it finds none. */
    public static String in(SubjectSource source, Call call) {
        String found = source.resolver().resolve(call);
        return found == null || found.isEmpty() ? "" : of(source, found);
    }

    /** The key for a value that a source found. */
    public static String of(SubjectSource source, String found) {
        return source.isSecret() ? source.keyOf(found) : plain(found);
    }

    /** The key for a value from a person or the store; hashes and digests stay as they are. */
    public static String ofNamed(String named) {
        return SecretDigest.isHash(named) || DIGEST.matcher(named).matches() ? named : plain(named);
    }

    /**
     * The key for a value that a person writes for a subject. A text that looks like a hash is taken for one, since
     * people copy hashes from logs. If the subject has secret sources and {@code ip}, an address is taken for an
     * address.
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

    /** Whether a person may have typed a secret in plain text, where its hash is needed. */
    public static boolean mayBeClearSecret(List<SubjectSource> chain, String named) {
        return chain.stream().anyMatch(SubjectSource::isNamedSecret)
                && !SecretDigest.isHash(named)
                && !isAddress(chain, named);
    }

    /** Whether this can only be a secret in plain text, since no other source yields such values. */
    public static boolean isClearSecret(List<SubjectSource> chain, String named) {
        return mayBeClearSecret(chain, named)
                && chain.stream()
                        .allMatch(source ->
                                source.isNamedSecret() || source.name().equals("ip"));
    }

    /** Whether this value can only come from the source {@code ip}, and {@code ip} is not secret in this chain. */
    public static boolean isAddress(List<SubjectSource> chain, String named) {
        return chain.stream().anyMatch(source -> source.name().equals("ip")) && ADDRESSES.normalised(named) != null;
    }

    private static String plain(String value) {
        return value.length() <= LONGEST && !SecretDigest.isHash(value) ? value : DIGEST_MARK + Sha256.hex(value);
    }
}
