package dev.sluice.internal.match.caller;

import dev.sluice.limits.Client;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replaces a client's secret values with their hashes, so that neither people nor the store can see the secrets. If
 * only some sources of a subject are secret, this class hashes all the subject's values except addresses.
 */
public final class HashedClient {

    private static final String PATTERN = "(hidden pattern)";

    private HashedClient() {}

    public static Client of(Client client, Map<String, List<SubjectSource>> subjects) {
        Map<String, List<String>> who = new LinkedHashMap<>();
        client.who()
                .forEach((subject, values) -> who.put(
                        subject,
                        values.stream()
                                .map(value -> hashed(subjects.getOrDefault(subject, List.of()), value))
                                .toList()));
        return client.identifiedBy(who);
    }

    private static String hashed(List<SubjectSource> chain, String value) {
        boolean isSecret = chain.stream().anyMatch(SubjectSource::isSecret);
        return isSecret && value.contains("*") ? PATTERN : SubjectKey.of(chain, value);
    }
}
