package dev.sluice.limiter.definition;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.match.path.PathPattern;
import dev.sluice.tier.Limit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compiled form of one endpoint and method, as it stands in the table of definitions: it knows how to find who is
 * calling and which counters that names.
 *
 * <p>Every way in which the subjects can be found, each from this or that source of its chain or from none, has
 * families of its own, made at load: a tenant named {@code 1.2.3.4} in a header never meets the address 1.2.3.4.
 */
public final class CompiledEndpoint {

    public final Endpoint endpoint;
    /** Whether whoever comes passes: what the limits say of it is only counted. */
    public final boolean exempt;
    /** Which paths it speaks of. */
    public final PathPattern pattern;
    /**
     * Whether the path or the query tells who calls, or whether the definition holds: they may be read in several ways.
     */
    final boolean dependsOnReading;

    private final List<SubjectChain> chains;
    /** By the combination of sources, then by tier. */
    private final CounterFamily[][] families;
    /** How callers are found where {@link #isSimple}; copied to save a dereference. */
    public final SubjectChain chain;
    /** The only family where there is one subject and one tier; copied to save a dereference. */
    private final CounterFamily[] bySource;
    /** That of the first source, by which nearly everybody is found; copied to save another. */
    private final CounterFamily byFirst;
    /** The statuses of answers that count; {@code null} if all do. */
    private final @Nullable BitSet counted;

    /** Whether each call has one subject, one tier and a cost of 1, is always enforced, and needs no ticket. */
    public final boolean isSimple;

    CompiledEndpoint(
            Endpoint endpoint,
            PathPattern pattern,
            boolean dependsOnReading,
            List<SubjectChain> chains,
            CounterFamily[][] families,
            boolean exempt) {
        this.endpoint = endpoint;
        this.pattern = pattern;
        this.dependsOnReading = dependsOnReading;
        this.exempt = exempt;
        this.chains = chains;
        this.families = families;
        this.chain = chains.isEmpty() ? SubjectChain.NONE : chains.get(0);
        this.bySource = Stream.of(families).map(tiers -> tiers[0]).toArray(CounterFamily[]::new);
        this.byFirst = bySource[0];
        this.counted = endpoint.countedStatuses().isEmpty()
                ? null
                : endpoint.countedStatuses().stream().collect(BitSet::new, BitSet::set, BitSet::or);
        this.isSimple = isPlain();
    }

    public boolean enforced() {
        return !exempt && endpoint.mode() == Mode.ENFORCE;
    }

    private boolean isPlain() {
        return chains.size() == 1
                && enforced()
                && endpoint.when() == Condition.ALWAYS
                && endpoint.cost().equals(Cost.ONE)
                && !endpoint.countsByAnswer()
                && families[0].length == 1
                && !needsTicket(families[0][0]);
    }

    /** Whether it matters how a call ends that has taken from a counter of this family. */
    public boolean needsTicket(CounterFamily family) {
        return endpoint.countsByAnswer()
                || endpoint.cost().charged()
                || family.compiledLimit.isConcurrency()
                || family.compiledLimit.queues()
                || family.compiledLimit.isElastic();
    }

    /**
     * Whether a call counts in the end.
     *
     * @param status of its answer
     * @param loginFailed whether it tried to log in, and failed
     */
    public boolean counts(int status, boolean loginFailed) {
        if (endpoint.countsFailedLogins()) {
            return loginFailed;
        }
        return counted == null || (status >= 0 && counted.get(status));
    }

    /** Whether this definition limits the call at that moment. */
    public boolean appliesTo(Call call, long nowMillis) {
        return endpoint.when().holds(call, nowMillis);
    }

    /** How much a call counts for. */
    public long cost(Call call) {
        return Math.min(Math.max(0, endpoint.cost().resolver().resolve(call)), Limit.MAX_THRESHOLD);
    }

    /** The counters of those who are found by that source of the chain, or by none. */
    public CounterFamily family(int source) {
        return source == 0 ? byFirst : bySource[source];
    }

    /**
     * Who makes a call.
     *
     * @param families of the counters, one a tier
     * @param values of the subjects: one, or a list of several
     */
    public record Caller(List<CounterFamily> families, Object values) {}

    public Caller caller(Call call) {
        if (chains.size() == 1) {
            SubjectChain.Found found = chains.get(0).find(call);
            return new Caller(List.of(families[found.source()]), found.value());
        }
        int combination = 0;
        List<String> values = new ArrayList<>(chains.size());
        for (SubjectChain chain : chains) {
            SubjectChain.Found found = chain.find(call);
            combination = combination * (chain.length() + 1) + found.source();
            values.add(found.value());
        }
        return new Caller(List.of(families[combination]), List.copyOf(values));
    }
}
