package dev.sluice.cli.imports.draft;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.internal.config.file.LimitsReader;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that the result of an import loads as a file of limits. */
public final class DraftCheck {

    private DraftCheck() {}

    /** The problems of the whole file; none, unless it is too large. */
    public static List<Problem> problems(String yaml) {
        try {
            LimitsReader.read(ConfigSources.text("the result", yaml), Set.of());
            return List.of();
        } catch (LimitsException e) {
            return e.problems();
        }
    }

    /** Why an endpoint cannot be written so; empty if it can. */
    static String problem(String head, String id, EndpointDraft endpoint) {
        String yaml = head + "endpoints:\n" + endpoint.yaml(id, false);
        return problems(yaml).stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .findFirst()
                .map(problem -> "it cannot be written as an endpoint, "
                        + problem.path().replaceFirst("^endpoints\\[0]\\.?", "")
                        + ": " + problem.message() + " [" + problem.code() + "]")
                .orElse("");
    }

    /** Whether such a caller can be a client of the file. */
    static boolean isClient(String head, String source, String value, TierDraft tier) {
        String yaml = head + "endpoints:\n  - id: any\n    pathPattern: /any\n    tiers: [ " + tier.yaml()
                + " ]\nclients:\n" + ClientDrafts.entry(source, value, Map.of("any", tier));
        return problems(yaml).isEmpty();
    }
}
