package dev.sluice.cli.explain;

import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.internal.config.keys.EndpointNotation;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes which calls count at an endpoint, what they cost, and which headers callers see. There are no lines for an
 * endpoint that uses only defaults.
 */
final class CountingNotes {

    private CountingNotes() {}

    /** Returns the lines, for example {@code counts only calls with the status 401, 403} and {@code costs 5}. */
    static List<String> of(Endpoint endpoint, boolean isPerLogin) {
        List<String> lines = new ArrayList<>();
        if (!endpoint.countedStatuses().isEmpty()) {
            lines.add("counts only calls with the status "
                    + String.join(", ", EndpointNotation.countedStatuses(endpoint)));
        }
        if (endpoint.countsFailedLogins()) {
            lines.add("counts only failed logins");
        }
        if (isPerLogin) {
            lines.add("counts login attempts by user name; set one with the option --login");
        }
        if (endpoint.countsByAnswer()) {
            lines.add("if calls in flight hold all permits, a call awaits their outcomes for up to 2 s, in"
                    + " case one of them does not count");
        }
        if (endpoint.cost().reserved()) {
            lines.add("reserves " + endpoint.cost().name() + " until the application settles it; an unsettled call "
                    + (endpoint.cost().settling() == Cost.Settling.KEEP ? "keeps its estimate" : "returns it"));
        } else if (endpoint.cost().charged()) {
            lines.add("costs the amount that the application charges after the call");
        } else if (!endpoint.cost().equals(Cost.ONE)) {
            lines.add("costs " + cost(endpoint.cost()));
        }
        switch (endpoint.headers()) {
            case REFUSALS -> lines.add("only refusals have headers");
            case NONE -> lines.add("callers do not see its headers");
            case SHOWN -> {}
        }
        return lines;
    }

    private static String cost(Cost cost) {
        if (cost.each() > 0) {
            return cost.name();
        }
        return cost.name().startsWith("header:")
                ? "the number in the header " + cost.name().substring("header:".length()) + ", or 1 without it"
                : "the result of the application's CostResolver " + cost.name() + "; here 1";
    }
}
