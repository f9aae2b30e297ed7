package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands in the table for one endpoint and method: it knows how to find who is calling and which counters that names.
 *
 * <p>Every way in which the subjects can be found, each from this or that source of its chain or from none, has families of its
 * own, made at load: a tenant named {@code 1.2.3.4} in a header never meets the address 1.2.3.4.
 */
final class Guard {

    final Endpoint endpoint;

    private final List<SubjectChain> chains;
    /** By the combination of sources, then by tier. */
    private final CounterFamily[][] families;

    Guard(Endpoint endpoint, List<SubjectChain> chains, CounterFamily[][] families) {
        this.endpoint = endpoint;
        this.chains = chains;
        this.families = families;
    }

    boolean enforced() {
        return endpoint.mode() == Mode.ENFORCE;
    }

    /** Whether a call has one counter here, found by one subject. */
    boolean isSimple() {
        return chains.size() == 1 && endpoint.tiers().size() == 1;
    }

    /** The counter of a call where {@link #isSimple()}. */
    WindowCounter counter(Call call, Counters counters) {
        SubjectChain.Found found = chains.get(0).find(call);
        return counters.get(families[found.source()][0], found.value());
    }

    /** The counters of a call, one a tier. */
    List<WindowCounter> counters(Call call, Counters counters) {
        int combination = 0;
        List<String> values = new ArrayList<>(chains.size());
        for (SubjectChain chain : chains) {
            SubjectChain.Found found = chain.find(call);
            combination = combination * (chain.length() + 1) + found.source();
            values.add(found.value());
        }
        Object who = values.size() == 1 ? values.get(0) : List.copyOf(values);
        List<WindowCounter> found = new ArrayList<>(endpoint.tiers().size());
        for (CounterFamily family : families[combination]) {
            found.add(counters.get(family, who));
        }
        return found;
    }
}
