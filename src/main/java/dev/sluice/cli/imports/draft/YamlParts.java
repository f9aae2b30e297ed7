package dev.sluice.cli.imports.draft;

import dev.sluice.text.Visible;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The parts of a file of limits, each as text. */
final class YamlParts {

    private static final int WIDTH = 110;

    private YamlParts() {}

    /** What stands before the endpoints. */
    static String head(List<String> lines, Map<List<String>, String> subjects) {
        StringBuilder head = new StringBuilder();
        lines.forEach(line -> {
            if (line.startsWith("#")) {
                comment(head, "", line.substring(1).strip());
            } else {
                head.append(line).append('\n');
            }
        });
        if (!subjects.isEmpty()) {
            head.append("subjects:\n");
            subjects.forEach((sources, name) -> head.append("  ")
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

    static void comment(StringBuilder yaml, String indent, String sentence) {
        yaml.append(commented(indent, sentence));
    }

    /** As lines that are not too long. */
    static String commented(String indent, String sentence) {
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
