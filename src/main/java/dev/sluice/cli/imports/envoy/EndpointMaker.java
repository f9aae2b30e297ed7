package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.PathPatterns;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.cli.imports.draft.TierDraft;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns limits of descriptors into endpoints, and limits for single values into clients. */
final class EndpointMaker {

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private static final String TWO_CONDITIONS =
            "it has two conditions for one source, and \"when\" takes only one; write it by hand";

    private final Draft draft;
    private final List<DescriptorLimit> limits;
    private final Set<String> replaced;
    /** Limits that became a client's own tier at the endpoint for all other values. */
    private final Set<DescriptorLimit> ofClients = new HashSet<>();

    EndpointMaker(Draft draft, List<DescriptorLimit> limits) {
        this.draft = draft;
        this.limits = limits;
        this.replaced =
                limits.stream().flatMap(limit -> limit.replaces().stream()).collect(Collectors.toSet());
    }

    /** Whether the limit became a client's own tier. */
    boolean isOfClient(DescriptorLimit limit) {
        return ofClients.contains(limit);
    }

    /** Adds the endpoint for a limit, if all calls may send this descriptor; or a remark that says why it cannot. */
    void make(DescriptorLimit limit, SentDescriptor sent, String pattern) {
        make(limit, sent, pattern, null, List.of(), false);
    }

    /**
     * Adds the endpoint for a limit and a route, or a remark that says why it cannot.
     *
     * @param route that sends the descriptor; {@code null} if all calls may send it
     * @param stricter why the endpoint may limit more calls than the route
     * @param isSplit whether several endpoints of the result share the descriptor
     */
    void make(
            DescriptorLimit limit,
            SentDescriptor sent,
            String pattern,
            @Nullable Route route,
            List<String> stricter,
            boolean isSplit) {
        EndpointDraft endpoint = new EndpointDraft(limit.position(), limit.title());
        endpoint.pathPattern(pattern);
        endpoint.methods(route == null || route.methods().isEmpty() ? sent.methods() : route.methods());
        endpoint.cost(sent.cost());
        boolean isPossible = requireAll(endpoint, sent.requirements())
                && (route == null || requireAll(endpoint, route.requirements()));
        String problem = isPossible ? "" : TWO_CONDITIONS;
        for (int i = 0; i < sent.entries().size() && problem.isEmpty(); i++) {
            problem = entry(endpoint, limit.path().get(i), sent.entries().get(i).origin());
        }
        if (!problem.isEmpty()) {
            draft.notImported(limit.position(), problem);
            return;
        }
        endpoint.tier(limit.tier());
        remarks(endpoint, limit, sent);
        stricter.forEach(why -> endpoint.remark(Kind.STRICTER, why));
        if (isSplit) {
            endpoint.remark(
                    Kind.LOOSER,
                    "Envoy's service counts all calls that send this descriptor together; here each endpoint counts "
                            + "its own, so a caller may make more calls in all");
        }
        String id = draft.add(endpoint);
        for (int i = 0; i < sent.entries().size() && !id.isEmpty(); i++) {
            others(endpoint, id, limit, i, sent.entries().get(i).origin());
        }
    }

    private static boolean requireAll(EndpointDraft endpoint, Map<String, Requirement> requirements) {
        return requirements.entrySet().stream().allMatch(entry -> endpoint.require(entry.getKey(), entry.getValue()));
    }

    /** Adds what an entry means to the endpoint; returns why that is impossible, or an empty text. */
    private String entry(EndpointDraft endpoint, DescriptorLimit.Entry entry, Origin origin) {
        return switch (origin.kind()) {
            case CONSTANT -> "";
            case UNKNOWN -> origin.text();
            case SOURCE -> source(endpoint, entry, origin);
            case METHOD -> method(endpoint, entry);
            case PATH -> path(endpoint, entry);
        };
    }

    private static String source(EndpointDraft endpoint, DescriptorLimit.Entry entry, Origin origin) {
        if (entry.isAny() || (entry.isWildcard() && !entry.shared())) {
            endpoint.countPer(origin.text());
        }
        boolean isPossible = entry.isAny()
                ? origin.isAlwaysThere() || endpoint.require(origin.text(), Requirement.PRESENT)
                : endpoint.require(origin.text(), Requirement.value(entry.value()));
        return isPossible ? "" : TWO_CONDITIONS;
    }

    private static String method(EndpointDraft endpoint, DescriptorLimit.Entry entry) {
        if (entry.isWildcard() || !endpoint.methods().isEmpty()) {
            return "an endpoint cannot express this method; list the methods under \"methods\" by hand";
        }
        if (entry.isAny()) {
            endpoint.methods(METHODS.stream()
                    .filter(method -> !entry.others().contains(method))
                    .toList());
            endpoint.remark(
                    Kind.LOOSER,
                    entry.position(),
                    "only the methods listed here are limited; as before, each counts by itself");
            return "";
        }
        endpoint.methods(List.of(entry.value()));
        return "";
    }

    private static String path(EndpointDraft endpoint, DescriptorLimit.Entry entry) {
        if (entry.isAny()) {
            return EndpointDraft.EACH_PATH_COUNTS;
        }
        PathPatterns choice = PathPatterns.glob(entry.value());
        if (choice.patterns().isEmpty()) {
            return choice.problem();
        }
        endpoint.pathPattern(choice.patterns().get(0));
        if (entry.value().contains("?")) {
            endpoint.remark(
                    Kind.STRICTER, entry.position(), "its path has a query; here the limit applies to any query");
        }
        if (entry.isWildcard() && !entry.shared()) {
            endpoint.remark(
                    Kind.STRICTER, entry.position(), "each matching path had its own counter; here all share one");
        }
        return "";
    }

    private void remarks(EndpointDraft endpoint, DescriptorLimit limit, SentDescriptor sent) {
        if (!sent.assumptions().isEmpty()) {
            endpoint.remark(Kind.ASSUMED, String.join("; ", sent.assumptions()));
        }
        sent.stricter().forEach(why -> endpoint.remark(Kind.STRICTER, why));
        if (limit.shadow()) {
            endpoint.dryRun();
            endpoint.remark(Kind.DIFFERENT, "shadow_mode becomes \"mode: dry-run\"");
        }
        if (limit.quota()) {
            endpoint.remark(
                    Kind.STRICTER,
                    "quota_mode refuses only if all such limits are exceeded; here each refuses by itself");
        }
        if (replaced.contains(limit.name())) {
            endpoint.remark(
                    Kind.STRICTER,
                    "another limit replaces " + Quote.of(limit.name())
                            + " for some calls; here both limits apply to them");
        }
        if (!limit.unknownSetting().isEmpty()) {
            endpoint.remarkUnknown(limit.position(), limit.unknownSetting());
        }
    }

    /** Excludes calls whose values have their own limits from the limit for all other values. */
    private void others(EndpointDraft endpoint, String id, DescriptorLimit limit, int level, Origin origin) {
        DescriptorLimit.Entry entry = limit.path().get(level);
        List<String> notExcluded = new ArrayList<>();
        for (String value : entry.isAny() && origin.kind() == Origin.Kind.SOURCE ? entry.others() : Set.<String>of()) {
            DescriptorLimit own = level == limit.path().size() - 1 ? sibling(limit, value) : null;
            if (own != null && own.refusesAll()) {
                continue; // so that at least this limit applies
            }
            DescriptorLimit plain = own != null && own.isPlain() ? own : null;
            if (!draft.give(origin.text(), value, id, plain == null ? TierDraft.UNLIMITED : plain.tier())) {
                notExcluded.add(Quote.of(value));
            } else if (plain != null) {
                ofClients.add(plain);
            }
        }
        if (!notExcluded.isEmpty()) {
            endpoint.remark(
                    Kind.STRICTER,
                    entry.position(),
                    "calls whose " + Quote.of(entry.key()) + " is " + String.join(", ", notExcluded)
                            + " had their own limits instead of this one; here this one applies to them too");
        }
    }

    private @Nullable DescriptorLimit sibling(DescriptorLimit limit, String value) {
        return limits.stream()
                .filter(other -> other.last().value().equals(value) && other.isSiblingOf(limit))
                .findFirst()
                .orElse(null);
    }
}
