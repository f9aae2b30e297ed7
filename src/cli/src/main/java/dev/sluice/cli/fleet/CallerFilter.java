package dev.sluice.cli.fleet;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.match.caller.SubjectKey;
import java.util.List;
import java.util.Optional;

/**
 * A filter for the callers that a command lists or changes.
 *
 * @param client a subject value, or a subject and its value in the notation that commands print ({@code
 *     subject=value}); empty for all clients
 * @param endpoint an endpoint id; empty for all endpoints
 */
public record CallerFilter(Optional<String> client, Optional<String> endpoint) {

    /** The filter that includes all callers. */
    public static final CallerFilter ALL = new CallerFilter(Optional.empty(), Optional.empty());

    public boolean takes(CounterKey key) {
        return takes(key.endpoint(), key.subjects());
    }

    public boolean takes(String atEndpoint, List<Subject> subjects) {
        return endpoint.map(atEndpoint::equals).orElse(true)
                && client.map(value -> subjects.stream().anyMatch(subject -> isNamed(subject, value)))
                        .orElse(true);
    }

    private static boolean isNamed(Subject subject, String named) {
        String before = subject.name() + '=';
        return subject.value().equals(SubjectKey.ofNamed(named))
                || (named.startsWith(before)
                        && subject.value().equals(SubjectKey.ofNamed(named.substring(before.length()))));
    }
}
