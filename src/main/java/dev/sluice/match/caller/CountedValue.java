package dev.sluice.match.caller;

import dev.sluice.limits.SubjectSource;
import java.util.List;

/** By what a caller is counted whom a person names by a value of a subject: that value, or its hash if it is secret. */
public final class CountedValue {

    private static final int USUAL_PREFIX = 64;
    private static final CallerAddress ADDRESSES = new CallerAddress(List.of(), USUAL_PREFIX, () -> {});

    private CountedValue() {}

    /**
     * Finds it. What looks like a hash is one already, as the log shows it; and where some sources of the subject are
     * secret and {@code ip} is not, an address is one.
     *
     * @param chain the sources of the subject
     * @param named what the person has written
     */
    public static String of(List<SubjectSource> chain, String named) {
        boolean mayBeAddress = chain.stream().anyMatch(source -> source.name().equals("ip"));
        if (SecretDigest.isHash(named) || (mayBeAddress && ADDRESSES.normalised(named) != null)) {
            return named;
        }
        return chain.stream()
                .filter(SubjectSource::isSecret)
                .findFirst()
                .map(source -> source.counted(named))
                .orElse(named);
    }
}
