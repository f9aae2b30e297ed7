package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.limits.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same calls under other limits, of which it is only counted what they refuse. For one thread. */
public final class Alternative implements AutoCloseable {

    private final List<String> names;
    private final Player player;
    private final Map<String, RefusalCount> definitions = new LinkedHashMap<>();

    /** With more than one name where several algorithms come to the same. */
    Alternative(List<String> names, Limits limits) {
        this.names = List.copyOf(names);
        this.player = new Player(limits);
        limits.endpoints().forEach(endpoint -> definitions.put(endpoint.id(), new RefusalCount()));
    }

    void play(LoggedCall call) {
        List<Decision> said = player.play(call);
        for (int i = 0; i < said.size(); i++) {
            Decision one = said.get(i);
            Endpoint endpoint = one.endpoint();
            if (endpoint != null && RefusalCount.isRefusal(one)) {
                RefusalCount count = definitions.get(endpoint.id());
                if (count != null) {
                    count.add(one.subjects());
                }
            }
        }
    }

    /** For people. */
    public List<String> names() {
        return names;
    }

    /** By the definition's id. */
    public Map<String, RefusalCount> definitions() {
        return definitions;
    }

    @Override
    public void close() {
        player.close();
    }
}
