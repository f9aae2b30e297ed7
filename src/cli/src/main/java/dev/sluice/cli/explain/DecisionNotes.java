package dev.sluice.cli.explain;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;

/** Lines that say which limit an answer reports, and what a dry run changes. */
final class DecisionNotes {

    private DecisionNotes() {}

    /** For example {@code The answer reports get-product, tier 10s; the call costs 1}. */
    static List<String> of(Decision decision, ExplainedCall.SeenCall call) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        if (endpoint == null || tier == null) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        long cost = call.cost(endpoint, tier);
        String limit = endpoint.id() + ", tier " + tier.name();
        lines.add("The answer reports " + limit + "; the call "
                + (endpoint.cost().charged()
                        ? "costs what the application charges"
                        : (endpoint.cost().reserved() ? "reserves " : "costs ") + cost));
        if (decision.outcome() == Outcome.EXEMPT) {
            lines.add("The caller is exempt: it is never refused, and gets no headers");
        } else if (decision.outcome() == Outcome.WOULD_REFUSE) {
            lines.add("It passes only because of a dry run: " + limit + " would refuse it");
        } else if (endpoint.mode() == Mode.DRY_RUN) {
            lines.add(endpoint.id() + " is in dry-run mode: calls beyond its limit pass, and are reported");
        }
        if (cost > tier.most() && decision.outcome() != Outcome.EXEMPT) {
            lines.add("Such a call never passes " + limit + ": " + neverPasses(cost, tier));
        }
        return lines;
    }

    /** A note on a call that costs more than the limit ever admits. */
    static String neverPasses(long cost, Tier tier) {
        return "it costs " + cost + ", and the limit never admits more than " + tier.most()
                + " at once, so retrying is useless; raise the limit, or lower the cost";
    }
}
