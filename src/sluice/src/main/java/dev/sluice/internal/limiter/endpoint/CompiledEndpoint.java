package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.tier.Limit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The compiled form of one endpoint for one method. It finds the caller and the counters of a call. Thread-safe.
 *
 * <p>Each combination of sources has its own families. They are created when the limits are loaded. Because the
 * families are separate, a tenant named {@code 1.2.3.4} in a header never shares a counter with the address 1.2.3.4.
 */
public final class CompiledEndpoint {

    public final Endpoint endpoint;
    /** The sequence number of the limits to which this endpoint belongs. Later limits have higher numbers. */
    public final int limitsNumber;
    /** Whether the caller is exempt. The calls of an exempt caller are counted but always pass. */
    public final boolean exempt;
    /** The paths that this endpoint limits. */
    final EndpointPaths paths;
    /** Whether the endpoint makes exceptions for some paths; copied to save a memory access. */
    final boolean hasExceptions;
    /**
     * Whether the caller or the applicability of the endpoint depends on the path or query. If so, all interpretations
     * of the path matter.
     */
    final boolean dependsOnReading;

    private final List<SubjectChain> chains;
    /** The families, indexed by combination of sources and then by tier. */
    private final CounterFamily[][] families;
    /** The only chain, if the endpoint {@link #isSimple}; copied to save a memory access. */
    public final SubjectChain chain;
    /** The family for each source, if there is only one subject and one tier; copied to save a memory access. */
    private final CounterFamily[] bySource;
    /** The family of the first source, which almost all callers use; copied to save a further memory access. */
    private final CounterFamily byFirst;
    /** The response statuses of calls that count; {@code null} if calls count regardless of their status. */
    private final @Nullable BitSet countedStatuses;

    /** Whether a call awaits the outcomes of calls in flight if those calls hold all permits. */
    public final boolean awaitsOutcomes;

    /** Whether a call might return its permits because of its response or when its cost is settled. */
    private final boolean mayReturn;

    /** Whether responses show every applicable limit rather than only the scarcest one. */
    public final boolean showsEachLimit;

    /**
     * Whether this endpoint counts login attempts by the attempted name. It counts an attempt as soon as the name is
     * known.
     */
    public final boolean isPerLogin;

    /**
     * Whether this endpoint is always enforced, its calls need no ticket, and each call has one subject, one tier and a
     * cost of 1.
     */
    public final boolean isSimple;

    CompiledEndpoint(
            Endpoint endpoint,
            int limitsNumber,
            EndpointPaths paths,
            boolean dependsOnReading,
            List<SubjectChain> chains,
            CounterFamily[][] families,
            boolean exempt,
            boolean showsEachLimit) {
        this.endpoint = endpoint;
        this.limitsNumber = limitsNumber;
        this.paths = paths;
        this.hasExceptions = paths.hasExceptions();
        this.dependsOnReading = dependsOnReading;
        this.exempt = exempt;
        this.chains = chains;
        this.families = families;
        this.chain = chains.isEmpty() ? SubjectChain.NONE : chains.get(0);
        this.bySource = Stream.of(families).map(tiers -> tiers[0]).toArray(CounterFamily[]::new);
        this.byFirst = bySource[0];
        this.countedStatuses = endpoint.countedStatuses().isEmpty()
                ? null
                : endpoint.countedStatuses().stream().collect(BitSet::new, BitSet::set, BitSet::or);
        this.awaitsOutcomes = endpoint.countsByAnswer() && !exempt;
        this.mayReturn = endpoint.countsByAnswer() || endpoint.cost().reserved();
        this.showsEachLimit = showsEachLimit;
        this.isPerLogin = chains.stream().anyMatch(SubjectChain::isLogin);
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
                && !isPerLogin
                && families[0].length == 1
                && !needsTicket(families[0][0]);
    }

    /** Whether a call that takes permits from the given family has to report its end. */
    public boolean needsTicket(CounterFamily family) {
        return endpoint.countsByAnswer()
                || endpoint.cost().settling() != Cost.Settling.NONE
                || family.compiledLimit.isConcurrency
                || family.compiledLimit.hasQueue
                || family.compiledLimit.isElastic();
    }

    /** Whether a call that takes permits from the given family might return some when it ends. */
    public boolean isRefundable(CounterFamily family) {
        return mayReturn || family.compiledLimit.isConcurrency;
    }

    /**
     * Whether an ended call counts towards the limits.
     *
     * @param status the response status
     * @param loginFailed whether the call's login failed
     */
    public boolean counts(int status, boolean loginFailed) {
        if (endpoint.countsFailedLogins()) {
            return loginFailed;
        }
        return countedStatuses == null || (status >= 0 && countedStatuses.get(status));
    }

    /** Whether this endpoint's condition holds for the call at the given time. */
    public boolean appliesTo(Call call, long nowMillis) {
        return endpoint.when().holds(call, nowMillis);
    }

    /** Returns the cost of a call. */
    public long cost(Call call) {
        return Math.min(Math.max(0, endpoint.cost().resolver().resolve(call)), Limit.MAX_THRESHOLD);
    }

    /**
     * Returns the family of the callers that the source at the given index of the chain identifies. The index after the
     * last source represents callers that no source identifies.
     */
    public CounterFamily family(int source) {
        return source == 0 ? byFirst : bySource[source];
    }

    /**
     * A caller at this endpoint.
     *
     * @param families the families of its counters, one for each tier
     * @param values the value of the only subject, or the list of values if there are several subjects
     */
    public record Caller(List<CounterFamily> families, Object values) {}

    public Caller caller(Call call) {
        return caller(chain -> chain.find(call));
    }

    /**
     * Returns a function that determines the caller of a call from the name in a login attempt. The function does not
     * store the call.
     */
    public Function<String, Caller> callerByLogin(Call call) {
        Map<SubjectChain, SubjectChain.Result> known = new HashMap<>();
        for (SubjectChain other : chains) {
            if (!other.isLogin()) {
                known.put(other, other.find(call));
            }
        }
        return name -> {
            Call attempt = new TriedLogin(name);
            return caller(chain -> {
                SubjectChain.Result found = known.get(chain);
                return found == null ? chain.find(attempt) : found;
            });
        };
    }

    /** A login attempt. Only its name matters. */
    private record TriedLogin(String login) implements Call {

        @Override
        public String method() {
            return "";
        }

        @Override
        public String path() {
            return "";
        }

        @Override
        public String ip() {
            return "";
        }
    }

    private Caller caller(Function<SubjectChain, SubjectChain.Result> finding) {
        if (chains.size() == 1) {
            SubjectChain.Result found = finding.apply(chains.get(0));
            return new Caller(List.of(families[found.source()]), found.value());
        }
        int combination = 0;
        List<String> values = new ArrayList<>(chains.size());
        for (SubjectChain chain : chains) {
            SubjectChain.Result found = finding.apply(chain);
            combination = combination * (chain.length() + 1) + found.source();
            values.add(found.value());
        }
        return new Caller(List.of(families[combination]), List.copyOf(values));
    }
}
