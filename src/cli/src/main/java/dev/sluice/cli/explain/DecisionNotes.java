package dev.sluice.cli.explain;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;

/** Describes the limit that a response reports, and the effect of a dry run. */
final class DecisionNotes {

    private DecisionNotes() {}

    /** Returns the lines, for example {@code The headers show get-product, tier 10s. The call costs 1.} */
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
        String limit = limit(endpoint, tier);
        lines.add(headers(result, limit) + ". The call "
                + (endpoint.cost().charged()
                        ? "costs the amount that the application charges."
                        : (endpoint.cost().reserved() ? "reserves " : "costs ") + cost + "."));
        if (decision.outcome() == Outcome.EXEMPT) {
            lines.add("The caller is exempt. It is never refused, and its responses show no limits.");
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

    /**
     * Describes the limit that headers show. If there were several limits to choose from, also gives the reason for the
     * choice.
     */
    private static String headers(ExplainedCall.Result result, String reported) {
        Decision decision = result.decision();
        Decision.Shown shown = decision.shown();
        if (shown == null || !result.answer().showsLimit()) {
            return "No headers show " + reported;
        }
        if (decision.shownLimits().size() > 1 && !result.answer().showsOnlyOneLimit()) {
            return "The headers show each limit that applies";
        }
        String limit = limit(shown.endpoint(), shown.tier());
        return "The headers show " + limit + why(result, limit, reported);
    }

    private static String why(ExplainedCall.Result result, String shown, String reported) {
        if (!shown.equals(reported)) {
            return ", because those of " + reported + " are hidden";
        }
        if (!result.decision().admitted()) {
            return ", because it refuses the call";
        }
        // Endpoints in a dry run are decided separately, so they never compete with this limit for the headers.
        long enforced = result.call().explanations().stream()
                .filter(one -> one.endpoint().mode() == Mode.ENFORCE)
                .count();
        return enforced <= 1 ? "" : ", because the smallest fraction of its permits remains";
    }

    private static String limit(Endpoint endpoint, Tier tier) {
        return endpoint.id() + ", tier " + tier.name();
    }

    /** Explains that a call costs more than the limit ever admits. */
    static String neverPasses(long cost, Tier tier) {
        return "it costs " + cost + ", and the limit never admits more than " + tier.most()
                + " at once, so retrying is useless; raise the limit, or lower the cost";
    }
}
