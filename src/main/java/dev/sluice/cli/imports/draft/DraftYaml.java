package dev.sluice.cli.imports.draft;

import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.text.Visible;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a draft as a file, with what is to be known of each limit in comments above it. */
public final class DraftYaml {

    private static final int WIDTH = 110;

    private DraftYaml() {}

    /** The whole file. */
    public static String of(Draft draft) {
        StringBuilder yaml = new StringBuilder();
        comment(yaml, "", draft.title());
        if (draft.dryRuns() > 0) {
            comment(
                    yaml,
                    "",
                    "An endpoint with \"mode: dry-run\" counts and reports, and refuses nobody. Look at what is said "
                            + "above it, correct it, and remove that line.");
        }
        yaml.append('\n').append(head(draft)).append("endpoints:\n");
        draft.inOrder().forEach((id, endpoint) -> {
            endpoint.remarks().stream()
                    .filter(remark -> remark.kind() != Kind.LEFT_OUT)
                    .forEach(remark -> comment(yaml, "  ", remark.comment()));
            yaml.append(endpoint(id, endpoint, endpoint.isDryRun(!draft.enforcesAll())));
        });
        if (!draft.clients().isEmpty()) {
            yaml.append("\nclients:\n");
            draft.clients().yaml().forEach(yaml::append);
        }
        String missing = draft.ownRemarks().stream()
                .filter(remark -> remark.kind() == Kind.NOT_IMPORTED)
                .map(remark -> commented("", remark.comment()))
                .collect(Collectors.joining());
        return missing.isEmpty()
                ? yaml.toString()
                : yaml.append("\n# Not in this file:\n").append(missing).toString();
    }

    /** What stands before the endpoints. */
    static String head(Draft draft) {
        StringBuilder head = new StringBuilder();
        draft.head().forEach(line -> {
            if (line.startsWith("#")) {
                comment(head, "", line.substring(1).strip());
            } else {
                head.append(line).append('\n');
            }
        });
        if (!draft.subjects().isEmpty()) {
            head.append("subjects:\n");
            draft.subjects()
                    .forEach((sources, name) -> head.append("  ")
                            .append(name)
                            .append(": ")
                            .append(YamlWord.list(sources))
                            .append('\n'));
        }
        return head.toString();
    }

    /** One endpoint, without what is said about it. */
    static String endpoint(String id, EndpointDraft draft, boolean dryRun) {
        StringBuilder yaml =
                new StringBuilder("  - id: ").append(YamlWord.of(id)).append('\n');
        if (!draft.methods().isEmpty()) {
            line(yaml, "methods", YamlWord.list(draft.methods()));
        }
        line(yaml, "pathPattern", YamlWord.of(draft.pathPattern()));
        line(yaml, "per", YamlWord.list(draft.per()));
        if (!draft.when().isEmpty()) {
            line(yaml, "when", when(draft.when()));
        }
        if (dryRun) {
            line(yaml, "mode", "dry-run");
        }
        if (!draft.statuses().isEmpty()) {
            line(yaml, "count", "{ status: [ " + String.join(", ", draft.statuses()) + " ] }");
        }
        if (draft.cost() != 1) {
            line(yaml, "cost", String.valueOf(draft.cost()));
        }
        yaml.append("    tiers:\n");
        draft.tiers()
                .forEach(tier -> yaml.append("      - ").append(tier.yaml()).append('\n'));
        return yaml.toString();
    }

    private static String when(Map<String, Requirement> when) {
        return when.entrySet().stream()
                .map(entry ->
                        YamlWord.of(entry.getKey()) + ": " + entry.getValue().yaml())
                .collect(Collectors.joining(", ", "{ ", " }"));
    }

    private static void line(StringBuilder yaml, String key, String value) {
        yaml.append("    ").append(key).append(": ").append(value).append('\n');
    }

    private static void comment(StringBuilder yaml, String indent, String sentence) {
        yaml.append(commented(indent, sentence));
    }

    /** As lines that are not too long. */
    private static String commented(String indent, String sentence) {
        StringBuilder comment = new StringBuilder();
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : List.of(Visible.of(sentence).split(" ", -1))) {
            if (line.length() + word.length() >= WIDTH && line.length() > indent.length() + 1) {
                comment.append(line).append('\n');
                line.setLength(0);
                line.append(indent).append("#  ");
            }
            line.append(' ').append(word);
        }
        return comment.append(line).append('\n').toString();
    }
}
