package dev.sluice.cli.imports.draft;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.LimitsException.Problem.Severity;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.yaml.FilePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of an import while it is being assembled. Not thread-safe. */
public final class Draft {

    private static final int LONGEST_ID = 60;

    /**
     * The lines with which each IPv6 address is counted separately. With the default prefix, callers that used to be
     * counted separately would be counted together.
     */
    private static final String WHOLE_ADDRESSES = YamlText.comment(
                    "",
                    "Each IPv6 address counts separately, as before. But a machine can use any address in its /64."
                            + " To count each /64 as one caller, remove this line.")
            + "ipv6Prefix: 128\n";

    private final Map<String, EndpointDraft> endpoints = new LinkedHashMap<>();
    private final Map<List<String>, String> subjects = new LinkedHashMap<>();
    private final Set<Remark> remarks = new LinkedHashSet<>();
    private final List<String> head = new ArrayList<>();
    private final String title;
    private boolean enforceAll;

    /**
     * Starts an empty file.
     *
     * @param title the first comment, which states the origin of the file
     */
    public Draft(String title) {
        this.title = title;
    }

    /** Enforces all limits, even those that might refuse calls that used to pass. */
    public void enforceAll() {
        enforceAll = true;
    }

    /** Adds a line or a comment before the endpoints. */
    public void head(String line) {
        head.add(line);
    }

    private boolean countsByAddress() {
        return subjects.keySet().stream().anyMatch(sources -> sources.contains("ip"))
                || endpoints.values().stream().anyMatch(endpoint -> endpoint.countsPer("ip"));
    }

    private String headYaml() {
        StringBuilder yaml = new StringBuilder();
        head.forEach(line -> yaml.append(
                line.startsWith("#") ? YamlText.comment("", line.substring(1).strip()) : line + '\n'));
        if (!subjects.isEmpty()) {
            yaml.append("subjects:\n");
            subjects.forEach((sources, name) -> yaml.append("  " + name + ": " + YamlText.list(sources) + '\n'));
        }
        return yaml.toString();
    }

    public void remark(Kind kind, FilePosition where, String sentence) {
        remarks.add(new Remark(kind, where, sentence));
    }

    /** Adds a remark about a limit that the result does not include. */
    public void notImported(FilePosition where, String why) {
        remark(Kind.NOT_IMPORTED, where, why);
    }

    /** Returns all remarks, in the order of the imported file. */
    public List<Remark> remarks() {
        return Stream.concat(
                        remarks.stream(), endpoints.values().stream().flatMap(endpoint -> endpoint.remarks().stream()))
                .distinct()
                .sorted(Comparator.comparingInt(
                                (Remark remark) -> remark.position().line())
                        .thenComparingInt(remark -> remark.position().column()))
                .toList();
    }

    /**
     * Returns the name under which an endpoint refers to a chain of sources. If the chain has several sources, adds a
     * subject with that name to the file.
     */
    public String subject(List<String> sources) {
        return sources.size() == 1
                ? sources.get(0)
                : subjects.computeIfAbsent(
                        List.copyOf(sources), any -> subjects.isEmpty() ? "caller" : "caller-" + (subjects.size() + 1));
    }

    /** Adds an endpoint to the result. If that is not possible, adds a remark with the reason. */
    public void add(EndpointDraft endpoint) {
        String id = freeId(endpoint.name());
        String problem = problem(id, endpoint);
        if (problem.isEmpty()) {
            endpoints.put(id, endpoint);
        } else {
            notImported(endpoint.position(), problem);
        }
    }

    /** Returns the endpoints by id. */
    public Map<String, EndpointDraft> endpoints() {
        return endpoints;
    }

    public boolean isEmpty() {
        return endpoints.isEmpty();
    }

    /** Returns the number of endpoints in dry-run mode. */
    public long dryRuns() {
        return endpoints.values().stream().filter(this::isDryRun).count();
    }

    private boolean isDryRun(EndpointDraft endpoint) {
        return !enforceAll && endpoint.isStricter();
    }

    /** Returns the whole file. The remarks about each endpoint are comments above it. */
    public String yaml() {
        StringBuilder yaml = new StringBuilder(YamlText.comment("", title));
        if (dryRuns() > 0) {
            yaml.append(YamlText.comment(
                    "",
                    "An endpoint with \"mode: dry-run\" counts and reports calls, but refuses nobody. Read the comments"
                            + " above it, correct the endpoint, and remove that line."));
        }
        yaml.append('\n')
                .append(headYaml())
                .append(countsByAddress() ? WHOLE_ADDRESSES : "")
                .append("endpoints:\n");
        endpoints.entrySet().stream()
                .sorted(Comparator.comparingInt(
                        endpoint -> endpoint.getValue().position().line()))
                .forEach(endpoint -> append(yaml, endpoint.getKey(), endpoint.getValue()));
        String missing = remarks.stream()
                .filter(remark -> remark.kind() == Kind.NOT_IMPORTED)
                .map(remark -> YamlText.comment("", remark.comment()))
                .collect(Collectors.joining());
        return yaml + (missing.isEmpty() ? "" : "\n# Not in this file:\n" + missing);
    }

    private void append(StringBuilder yaml, String id, EndpointDraft endpoint) {
        endpoint.remarks().stream()
                .filter(remark -> remark.kind() != Kind.LEFT_OUT)
                .forEach(remark -> yaml.append(YamlText.comment("  ", remark.comment())));
        yaml.append(endpoint.yaml(id, isDryRun(endpoint)));
    }

    private String freeId(String name) {
        String words = name.replaceAll("[^A-Za-z0-9._-]+", "-")
                .replaceAll("-{2,}", "-")
                .replaceAll("^[-.]+|[-.]+$", "");
        String id = words.isEmpty() ? "limit" : words.substring(0, Math.min(words.length(), LONGEST_ID));
        String free = id;
        // All limits of a filter share the filter's name, but each endpoint needs a unique id.
        for (int n = 2; endpoints.containsKey(free); n++) {
            String tail = "-" + n;
            free = id.substring(0, Math.min(id.length(), 64 - tail.length())) + tail;
        }
        return free;
    }

    /** Returns the reason why the endpoint cannot be written; empty if it can be written. */
    private String problem(String id, EndpointDraft endpoint) {
        return problems(headYaml() + "endpoints:\n" + endpoint.yaml(id, false)).stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .findFirst()
                .map(problem -> "no endpoint can express it, "
                        + problem.path().replaceFirst("^endpoints\\[0]\\.?", "")
                        + ": " + problem.message() + " [" + problem.code() + "]")
                .orElse("");
    }

    /**
     * Returns the problems that the loader finds in a file. The result of an import has no problems unless it is too
     * large.
     */
    public static List<Problem> problems(String yaml) {
        try {
            LimitsReader.read(ConfigSources.text("the result", yaml), Set.of());
            return List.of();
        } catch (LimitsException e) {
            return e.problems();
        }
    }
}
