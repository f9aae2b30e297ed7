package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Algorithm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays the calls to other limits, and counts only refusals. Not thread-safe. */
public final class AlternativeLimits implements AutoCloseable {

    private final List<String> names;
    private final Player player;
    private final Map<String, RefusalCount> refusals = new LinkedHashMap<>();

    /** Stands for several algorithms if they give the same result. */
    AlternativeLimits(List<Algorithm> algorithms, Limits limits) {
        this.names = algorithms.stream().map(Algorithm::word).toList();
        this.player = new Player(limits);
        limits.endpoints().forEach(endpoint -> refusals.put(endpoint.id(), new RefusalCount()));
    }

    void play(LoggedCall call) {
        List<Decision> decisions = player.play(call);
        for (int i = 0; i < decisions.size(); i++) {
            Decision one = decisions.get(i);
            Endpoint endpoint = one.endpoint();
            if (endpoint != null && RefusalCount.isRefusal(one)) {
                RefusalCount count = refusals.get(endpoint.id());
                if (count != null) {
                    count.add(one.subjects());
                }
            }
        }
    }

    /** The names of the algorithms. */
    public List<String> names() {
        return names;
    }

    /** The refusals by the endpoint's id. */
    public Map<String, RefusalCount> refusals() {
        return refusals;
    }

    @Override
    public void close() {
        player.close();
    }
}
