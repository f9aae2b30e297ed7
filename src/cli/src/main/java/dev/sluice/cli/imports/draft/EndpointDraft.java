package dev.sluice.cli.imports.draft;

import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An endpoint of the result while it is being built. Not thread-safe. */
public final class EndpointDraft {

    private final FilePosition position;
    private final String name;
    private final List<String> per = new ArrayList<>();
    private final Map<String, Requirement> when = new LinkedHashMap<>();
    private final List<TierDraft> tiers = new ArrayList<>();
    private final List<Remark> remarks = new ArrayList<>();
    private final List<String> statuses = new ArrayList<>();
    private List<String> methods = List.of();
    private List<String> pathPatterns = List.of("/**");
    private List<String> except = List.of();
    private long cost = 1;

    /**
     * Starts an endpoint.
     *
     * @param position the position of its limit in the imported file
     * @param name the name from which its id is derived
     */
    public EndpointDraft(FilePosition position, String name) {
        this.position = position;
        this.name = name;
    }

    public FilePosition position() {
        return position;
    }

    public String name() {
        return name;
    }

    /** Sets the patterns of the included and the excluded paths. */
    public void paths(List<String> patterns, List<String> exceptions) {
        pathPatterns = List.copyOf(patterns);
        except = List.copyOf(exceptions);
    }

    /** Sets the methods. Drops HEAD if GET is one of them, because GET includes HEAD, and the two share a counter. */
    public void methods(List<String> names) {
        methods = names.stream()
                .filter(name -> !name.equals("HEAD") || !names.contains("GET"))
                .toList();
    }

    public List<String> methods() {
        return methods;
    }

    /** Adds a source or subject to the key. */
    public void countPer(String subject) {
        if (!per.contains(subject)) {
            per.add(subject);
        }
    }

    public boolean countsPer(String subject) {
        return per.contains(subject);
    }

    /**
     * Adds a requirement that calls must meet.
     *
     * @return whether the requirement can be combined with an earlier one for the same source
     */
    public boolean require(String source, Requirement requirement) {
        Requirement earlier = when.putIfAbsent(source, requirement);
        if (earlier == null || earlier.equals(requirement) || requirement.equals(Requirement.PRESENT)) {
            return earlier == null || !earlier.equals(Requirement.ABSENT) || requirement.equals(earlier);
        }
        if (earlier.equals(Requirement.PRESENT) && !requirement.equals(Requirement.ABSENT)) {
            when.put(source, requirement);
            return true;
        }
        return false;
    }

    public void tier(TierDraft tier) {
        tiers.add(tier);
    }

    public List<TierDraft> tiers() {
        return tiers;
    }

    /** Counts only calls with these statuses. */
    public void countStatuses(List<String> names) {
        statuses.addAll(names);
    }

    /** Whether the endpoint might count responses that reject a login attempt. */
    public boolean mayCountLogins() {
        return statuses.contains("401") || statuses.contains("4xx");
    }

    public void cost(long amount) {
        cost = amount;
    }

    /**
     * Whether the endpoint might refuse calls that used to pass. A person must review such an endpoint before it is
     * enforced.
     */
    boolean isStricter() {
        return remarks.stream().anyMatch(remark -> remark.kind() == Kind.STRICTER);
    }

    /** Adds a remark about the whole limit. */
    public void remark(Kind kind, String sentence) {
        remark(kind, position, sentence);
    }

    public void remark(Kind kind, FilePosition where, String sentence) {
        Remark remark = new Remark(kind, where, sentence);
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    /** Adds a remark about a setting that is unknown to the import. */
    public void remarkUnknown(FilePosition where, String setting) {
        remark(
                Kind.STRICTER,
                where,
                "the setting " + Quote.of(setting) + " is unknown here, and might change which calls count");
    }

    public List<Remark> remarks() {
        return remarks;
    }

    /** Formats the endpoint in YAML, without its remarks. */
    String yaml(String id, boolean isDryRun) {
        StringBuilder yaml =
                new StringBuilder("  - id: ").append(YamlText.of(id)).append('\n');
        if (!methods.isEmpty()) {
            line(yaml, "methods", YamlText.list(methods));
        }
        line(
                yaml,
                "pathPattern",
                pathPatterns.size() == 1 ? YamlText.of(pathPatterns.get(0)) : YamlText.list(pathPatterns));
        if (!except.isEmpty()) {
            line(yaml, "except", YamlText.list(except));
        }
        line(yaml, "per", YamlText.list(per));
        if (!when.isEmpty()) {
            line(
                    yaml,
                    "when",
                    when.entrySet().stream()
                            .map(entry -> YamlText.of(entry.getKey()) + ": "
                                    + entry.getValue().yaml())
                            .collect(Collectors.joining(", ", "{ ", " }")));
        }
        if (isDryRun) {
            line(yaml, "mode", "dry-run");
        }
        if (!statuses.isEmpty()) {
            line(yaml, "count", "{ status: [ " + String.join(", ", statuses) + " ] }");
        }
        if (cost != 1) {
            line(yaml, "cost", String.valueOf(cost));
        }
        yaml.append("    tiers:\n");
        tiers.forEach(tier -> yaml.append("      - ").append(tier.yaml()).append('\n'));
        return yaml.toString();
    }

    private static void line(StringBuilder yaml, String key, String value) {
        yaml.append("    ").append(key).append(": ").append(value).append('\n');
    }
}
