package dev.sluice.cli.imports.draft;

import dev.sluice.cli.imports.draft.Remark.Kind;
import java.util.stream.Collectors;

/** Writes a draft as a file, with the remarks on each limit as comments above it. */
public final class DraftYaml {

    private DraftYaml() {}

    /** The whole file. */
    public static String of(Draft draft) {
        StringBuilder yaml = new StringBuilder();
        YamlParts.comment(yaml, "", draft.title());
        if (draft.dryRuns() > 0) {
            YamlParts.comment(
                    yaml,
                    "",
                    "An endpoint with \"mode: dry-run\" counts and reports, and refuses nobody. Look at what is said "
                            + "above it, correct it, and remove that line.");
        }
        yaml.append('\n').append(draft.headYaml()).append("endpoints:\n");
        draft.inOrder().forEach((id, endpoint) -> {
            endpoint.remarks().stream()
                    .filter(remark -> remark.kind() != Kind.LEFT_OUT)
                    .forEach(remark -> YamlParts.comment(yaml, "  ", remark.comment()));
            yaml.append(YamlParts.endpoint(id, endpoint, endpoint.isDryRun(!draft.enforcesAll())));
        });
        if (!draft.clients().isEmpty()) {
            yaml.append("\nclients:\n");
            draft.clients().yaml().forEach(yaml::append);
        }
        String missing = draft.ownRemarks().stream()
                .filter(remark -> remark.kind() == Kind.NOT_IMPORTED)
                .map(remark -> YamlParts.commented("", remark.comment()))
                .collect(Collectors.joining());
        return missing.isEmpty()
                ? yaml.toString()
                : yaml.append("\n# Not in this file:\n").append(missing).toString();
    }
}
