package dev.sluice.cli.explain;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;

/** Lines on the limit that an answer reports, and on the effect of a dry run. */
final class DecisionNotes {

    private DecisionNotes() {}

    /** For example {@code The headers show get-product, tier 10s. The call costs 1.} */
    static List<String> of(ExplainedCall.Result result) {
        Decision decision = result.decision();
        ExplainedCall.SeenCall call = result.call();
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        if (endpoint == null || tier == null) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        long cost = call.cost(endpoint, tier);
        String limit = endpoint.id() + ", tier " + tier.name();
        lines.add(
                (result.answer().showsLimit()
                                ? "The headers show " + limit + why(decision, call)
                                : "No headers show " + limit)
                        + ". The call "
                        + (endpoint.cost().charged()
                                ? "costs the amount that the application charges."
                                : (endpoint.cost().reserved() ? "reserves " : "costs ") + cost + "."));
        if (decision.outcome() == Outcome.EXEMPT) {
            lines.add("The caller is exempt. It is never refused, and gets no headers.");
        } else if (decision.outcome() == Outcome.WOULD_REFUSE) {
            lines.add("It passes only because of a dry run: " + limit + " would refuse it.");
        } else if (endpoint.mode() == Mode.DRY_RUN) {
            lines.add(endpoint.id() + " is in dry-run mode: calls beyond its limit pass, and are reported.");
        }
        if (cost > tier.most() && decision.outcome() != Outcome.EXEMPT) {
            lines.add("Such a call never passes " + limit + ": " + neverPasses(cost, tier) + ".");
        }
        return lines;
    }

    /** Why the headers show this limit; empty if the caller meets no other. */
    private static String why(Decision decision, ExplainedCall.SeenCall call) {
        if (!decision.admitted()) {
            return ", because it refuses the call";
        }
        return call.explanations().size() == 1 ? "" : ", because it has the smallest share of its permits left";
    }

    /** A note on a call that costs more than the limit ever admits. */
    static String neverPasses(long cost, Tier tier) {
        return "it costs " + cost + ", and the limit never admits more than " + tier.most()
                + " at once, so retrying is useless; raise the limit, or lower the cost";
    }
}
