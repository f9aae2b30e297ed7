package dev.sluice.cli.rehearse.tally;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How many calls of which clients, by endpoint; of very many clients only those with many calls. */
public final class CallsByClient {

    private static final int MOST = 20_000;

    private final Map<Who, Long> amounts = new HashMap<>();

    /** A client at an endpoint. */
    public record Who(String endpoint, List<Subject> subjects) {}

    /** Adds a call, as it was decided. */
    public void add(Decision decision) {
        Endpoint endpoint = decision.endpoint();
        if (endpoint == null) {
            return;
        }
        amounts.merge(new Who(endpoint.id(), decision.subjects()), 1L, Long::sum);
        if (amounts.size() > MOST) {
            amounts.entrySet().retainAll(Set.copyOf(most(MOST / 2)));
        }
    }

    /** The clients with the most calls, up to this number. */
    public List<Map.Entry<Who, Long>> most(int number) {
        return amounts.entrySet().stream()
                .sorted(Map.Entry.<Who, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(one -> one.getKey().toString()))
                .limit(number)
                .toList();
    }
}
