package dev.sluice.cli.explain;

import dev.sluice.limits.Client;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A client of a file as people may see it: a value of a secret subject stands as its hash. */
final class ShownClient {

    private static final String PATTERN = "***";

    private ShownClient() {}

    static Client of(Client client, Map<String, List<SubjectSource>> subjects) {
        Map<String, List<String>> who = new LinkedHashMap<>();
        client.who()
                .forEach((subject, values) -> who.put(
                        subject,
                        subjects.getOrDefault(subject, List.of()).stream()
                                .filter(SubjectSource::isSecret)
                                .findFirst()
                                .map(source -> values.stream()
                                        .map(value -> value.contains("*") ? PATTERN : source.counted(value))
                                        .toList())
                                .orElse(values)));
        return new Client(who, client.exempt(), client.multiply(), client.mode(), client.endpoints());
    }
}
