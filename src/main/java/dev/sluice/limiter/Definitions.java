package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Excess;
import dev.sluice.Limits;
import dev.sluice.Mode;
import dev.sluice.match.EndpointTable;
import dev.sluice.match.PathPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definitions in force, compiled for use: one snapshot, which serves a call from beginning to end.
 *
 * @param limits what was compiled
 * @param table finds the guards that stand for everybody
 * @param clients for whom others stand; {@code null} if the limits name none
 */
record Definitions(
        Limits limits, EndpointTable<Guard> table, @Nullable Clients clients) {

    /** Compiles; counters of a tier that was there before and has not changed go on under the same family. */
    static Definitions compile(Limits limits, Families families) {
        Guards guards = new Guards(limits, families);
        Clients clients = limits.clients().isEmpty() && limits.own().isEmpty() ? null : new Clients(limits, guards);
        EndpointTable.Builder<Guard> table = new EndpointTable.Builder<>(limits.caseSensitive());
        for (Endpoint endpoint : limits.endpoints()) {
            if (endpoint.mode() != Mode.OFF || (clients != null && clients.mayTurnOn())) {
                PathPattern pattern = PathPattern.parse(endpoint.pathPattern());
                table.add(pattern, endpoint.methods(), method -> {
                    Guard everybody = guards.make(endpoint, pattern, method, false);
                    return clients == null ? everybody : clients.relieve(everybody, pattern, method);
                });
            }
        }
        return new Definitions(limits, table.build(), clients);
    }

    /** Whether some tier lets more pass while there is room. */
    boolean isElastic() {
        return limits.tiers().anyMatch(tier -> tier.excess() instanceof Excess.Elastic);
    }

    /** The guards that a call has to pass. */
    List<Guard> match(Call call) {
        List<Guard> found = table.match(call.method(), table.readsPaths() ? call.path() : "/");
        return clients == null || found.isEmpty() ? found : clients.guards(found, call);
    }

    /** The same, with the client of the file that each stands for. */
    List<Clients.Watch> explain(Call call) {
        List<Guard> found = table.match(call.method(), call.path());
        return clients == null
                ? found.stream().map(guard -> new Clients.Watch(guard, null)).toList()
                : clients.watches(found, call);
    }
}
