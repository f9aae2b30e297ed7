package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.internal.text.CallerText;
import dev.sluice.limits.Limits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plays the calls to a second file, and counts the calls that only one of the two files refuses. Not thread-safe. */
public final class ComparedFile implements AutoCloseable {

    private static final int MOST_REPORTED = 20;

    private final String name;
    private final Player player;
    private final CallsByClient byFirst = new CallsByClient();
    private final CallsByClient bySecond = new CallsByClient();
    private long both;
    private long onlyFirst;
    private long onlySecond;

    public ComparedFile(String name, Limits limits) {
        this.name = name;
        this.player = new Player(limits);
    }

    /**
     * The differences between the decisions of the two files.
     *
     * @param onlyFirst the number of calls that only the rehearsed file refuses
     * @param onlySecond the number of calls that only the second file refuses
     */
    public record Result(
            String other,
            long refusedByBoth,
            long onlyFirst,
            long onlySecond,
            List<Difference> refusedByFirst,
            List<Difference> refusedBySecond) {}

    /** The number of one client's calls that only one of the files refuses. */
    public record Difference(String endpoint, String client, long calls) {}

    /**
     * Plays a call.
     *
     * @param first the decisions made with the rehearsed file
     */
    void play(LoggedCall call, List<Decision> first) {
        Decision refusal = refusal(first);
        Decision here = refusal(player.play(call));
        if (refusal != null && here != null) {
            both++;
        } else if (refusal != null) {
            onlyFirst++;
            byFirst.add(refusal);
        } else if (here != null) {
            onlySecond++;
            bySecond.add(here);
        }
    }

    private static @Nullable Decision refusal(List<Decision> decisions) {
        return decisions.stream().filter(RefusalCount::isRefusal).findFirst().orElse(null);
    }

    Result result() {
        return new Result(name, both, onlyFirst, onlySecond, byFirst.differences(), bySecond.differences());
    }

    @Override
    public void close() {
        player.close();
    }

    /**
     * Counts calls by client and endpoint. If there are too many clients, drops the counts of those with the fewest
     * calls.
     */
    private static final class CallsByClient {

        private static final int MOST = 20_000;

        private final Map<Who, Long> calls = new HashMap<>();

        private record Who(String endpoint, List<Subject> subjects) {}

        private void add(Decision decision) {
            Endpoint endpoint = decision.endpoint();
            if (endpoint == null) {
                return;
            }
            calls.merge(new Who(endpoint.id(), decision.subjects()), 1L, Long::sum);
            if (calls.size() > MOST) {
                calls.entrySet().retainAll(Set.copyOf(most(MOST / 2)));
            }
        }

        private List<Map.Entry<Who, Long>> most(int number) {
            return calls.entrySet().stream()
                    .sorted(Map.Entry.<Who, Long>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(one -> one.getKey().toString()))
                    .limit(number)
                    .toList();
        }

        private List<Difference> differences() {
            return most(MOST_REPORTED).stream()
                    .map(one ->
                            new Difference(one.getKey().endpoint, CallerText.of(one.getKey().subjects), one.getValue()))
                    .toList();
        }
    }
}
