package dev.sluice.limiter;

import dev.sluice.Endpoint;
import dev.sluice.Limits;
import dev.sluice.LoadSignal;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.SubjectSource;
import dev.sluice.Tier;
import dev.sluice.match.EndpointTable;
import dev.sluice.match.PathPattern;
import dev.sluice.match.SubjectSources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The definitions in force, compiled for use: one immutable snapshot, which serves a call from beginning to end.
 *
 * @param limits what was compiled
 * @param table finds the guards of a call
 * @param families all families by identity, for the next snapshot to reuse
 */
record Definitions(Limits limits, EndpointTable<Guard> table, Map<CounterFamily.Identity, CounterFamily> families) {

    /** Compiles; counters of a tier that was there before and has not changed go on under the same family. */
    static Definitions compile(Limits limits, Map<CounterFamily.Identity, CounterFamily> before, LoadSignal load) {
        EndpointTable.Builder<Guard> table = new EndpointTable.Builder<>(limits.caseSensitive());
        Map<CounterFamily.Identity, CounterFamily> families = new HashMap<>();
        for (Endpoint endpoint : limits.endpoints()) {
            if (endpoint.mode() != Mode.OFF) {
                PathPattern pattern = PathPattern.parse(endpoint.pathPattern());
                List<List<SubjectSource>> chains = chains(limits, endpoint, pattern);
                table.add(
                        pattern, endpoint.methods(), method -> guard(endpoint, method, chains, load, before, families));
            }
        }
        return new Definitions(limits, table.build(), families);
    }

    /** Whether some tier lets more pass while there is room. */
    boolean isElastic() {
        return families.values().stream().anyMatch(CounterFamily::isElastic);
    }

    private static List<List<SubjectSource>> chains(Limits limits, Endpoint endpoint, PathPattern pattern) {
        List<List<SubjectSource>> chains = new ArrayList<>();
        for (String name : endpoint.per()) {
            List<SubjectSource> chain = Objects.requireNonNull(
                    limits.subjects().get(name), () -> endpoint.id() + ": no subject " + name + " is defined");
            chains.add(chain.stream()
                    .map(source -> SubjectSources.bind(source, pattern, limits.caseSensitive()))
                    .toList());
        }
        return chains;
    }

    private static Guard guard(
            Endpoint endpoint,
            String method,
            List<List<SubjectSource>> chains,
            LoadSignal load,
            Map<CounterFamily.Identity, CounterFamily> before,
            Map<CounterFamily.Identity, CounterFamily> families) {
        List<List<String>> combinations = combinations(chains);
        CounterFamily[][] compiled =
                new CounterFamily[combinations.size()][endpoint.tiers().size()];
        for (int i = 0; i < compiled.length; i++) {
            for (int t = 0; t < compiled[i].length; t++) {
                Tier tier = endpoint.tiers().get(t);
                CounterFamily.Identity identity =
                        new CounterFamily.Identity(endpoint.id(), method, tier, endpoint.per(), combinations.get(i));
                CounterFamily kept = before.get(identity);
                compiled[i][t] = families.computeIfAbsent(
                        identity, missing -> kept != null ? kept : new CounterFamily(missing, load));
            }
        }
        return new Guard(endpoint, chains.stream().map(SubjectChain::new).toList(), compiled);
    }

    /** Every way of finding all subjects, the last subject changing fastest; a chain can also find nothing. */
    private static List<List<String>> combinations(List<List<SubjectSource>> chains) {
        List<List<String>> combinations = List.of(List.of());
        for (List<SubjectSource> chain : chains) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> combination : combinations) {
                for (SubjectSource source : chain) {
                    longer.add(append(combination, source.name()));
                }
                longer.add(append(combination, Subject.NONE));
            }
            combinations = longer;
        }
        return combinations;
    }

    private static List<String> append(List<String> list, String last) {
        List<String> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }
}
