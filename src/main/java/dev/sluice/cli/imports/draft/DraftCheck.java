package dev.sluice.cli.imports.draft;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.limits.ConfigSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what an import has written as a service would, so that nothing leaves it that does not load. */
public final class DraftCheck {

    private DraftCheck() {}

    /** What is wrong with the whole file, which is nothing unless it is too large. */
    public static List<Problem> problems(String yaml) {
        try {
            LimitsReader.read(new Written(yaml), Set.of());
            return List.of();
        } catch (LimitsException e) {
            return e.problems();
        }
    }

    /** Why an endpoint cannot be written so; empty if it can. */
    static String problem(String head, String id, EndpointDraft endpoint) {
        String yaml = head + "endpoints:\n" + YamlParts.endpoint(id, endpoint, false);
        return problems(yaml).stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .findFirst()
                .map(problem -> "it cannot be written as an endpoint, "
                        + problem.path().replaceFirst("^endpoints\\[0]\\.?", "")
                        + ": " + problem.message() + " [" + problem.code() + "]")
                .orElse("");
    }

    /** Whether such a caller can be told by the file. */
    static boolean isClient(String head, String source, String value, TierDraft tier) {
        String yaml = head + "endpoints:\n  - id: any\n    pathPattern: /any\n    tiers: [ " + tier.yaml()
                + " ]\nclients:\n" + ClientDrafts.entry(source, value, Map.of("any", tier));
        return problems(yaml).isEmpty();
    }

    private record Written(String yaml) implements ConfigSource {

        @Override
        public String name() {
            return "the result";
        }

        @Override
        public byte[] read() {
            return yaml.getBytes(UTF_8);
        }
    }
}
