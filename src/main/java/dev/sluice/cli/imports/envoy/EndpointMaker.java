package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.cli.imports.draft.TierDraft;
import dev.sluice.cli.imports.path.PathPatterns;
import dev.sluice.cli.imports.path.PathPrefixes;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes endpoints of the limits of descriptors, and clients of the limits for single values. */
final class EndpointMaker {

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private static final String TWO_CONDITIONS =
            "it has two conditions for one source, and \"when\" takes one; write it by hand";

    private final Draft draft;
    private final List<DescriptorLimit> limits;
    private final Set<String> replaced;
    /** Limits that are imported as a client's own tier at the endpoint for all other values. */
    private final Set<DescriptorLimit> ofClients = new HashSet<>();

    EndpointMaker(Draft draft, List<DescriptorLimit> limits) {
        this.draft = draft;
        this.limits = limits;
        this.replaced =
                limits.stream().flatMap(limit -> limit.replaces().stream()).collect(Collectors.toSet());
    }

    /** Whether the limit is imported as a client's own tier. */
    boolean isOfClient(DescriptorLimit limit) {
        return ofClients.contains(limit);
    }

    /** Adds the endpoint for a limit, where all calls may send this; or a remark if there can be none. */
    void make(DescriptorLimit limit, SentDescriptor sent, String pattern) {
        make(limit, sent, pattern, null, List.of(), false);
    }

    /**
     * Adds the endpoint for a limit where a route sends this, or a remark if there can be none.
     *
     * @param route {@code null} if all calls may send it
     * @param stricter why the endpoint may limit more calls than the route
     * @param isSplit whether other endpoints of the result stand for the same descriptor
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
        boolean isPossible =
                requireAll(endpoint, sent.requirements()) && (route == null || requireAll(endpoint, route.requirements()));
        String problem = isPossible ? "" : TWO_CONDITIONS;
        for (int i = 0; i < sent.entries().size() && problem.isEmpty(); i++) {
            problem = entry(endpoint, limit.path().get(i), sent.entries().get(i).origin());
        }
        if (!problem.isEmpty()) {
            draft.remark(Kind.NOT_IMPORTED, limit.position(), problem);
            return;
        }
        endpoint.tier(limit.tier());
        remarks(endpoint, limit, sent);
        stricter.forEach(why -> endpoint.remark(Kind.STRICTER, limit.position(), why));
        if (isSplit) {
            endpoint.remark(
                    Kind.LOOSER,
                    limit.position(),
                    "Envoy's service counts all calls that send this together; here each endpoint counts its own, so "
                            + "a caller has as many limits as there are");
        }
        String id = draft.add(endpoint);
        for (int i = 0; i < sent.entries().size() && !id.isEmpty(); i++) {
            others(endpoint, id, limit, i, sent.entries().get(i).origin());
        }
    }

    private static boolean requireAll(EndpointDraft endpoint, Map<String, Requirement> requirements) {
        return requirements.entrySet().stream().allMatch(entry -> endpoint.require(entry.getKey(), entry.getValue()));
    }

    /** Adds what an entry means; returns why that is not possible, or an empty text. */
    private String entry(EndpointDraft endpoint, DescriptorEntry entry, Origin origin) {
        return switch (origin.kind()) {
            case CONSTANT -> "";
            case UNKNOWN -> origin.text();
            case SOURCE -> source(endpoint, entry, origin);
            case METHOD -> method(endpoint, entry);
            case PATH -> path(endpoint, entry);
        };
    }

    private static String source(EndpointDraft endpoint, DescriptorEntry entry, Origin origin) {
        if (entry.isAny() || (entry.isWildcard() && !entry.shared())) {
            endpoint.countPer(origin.text());
        }
        boolean isPossible = entry.isAny()
                ? origin.isAlwaysThere() || endpoint.require(origin.text(), Requirement.PRESENT)
                : endpoint.require(origin.text(), Requirement.value(entry.value()));
        return isPossible ? "" : TWO_CONDITIONS;
    }

    private static String method(EndpointDraft endpoint, DescriptorEntry entry) {
        if (entry.isWildcard() || !endpoint.methods().isEmpty()) {
            return "methods cannot be said so here; list them under \"methods\" by hand";
        }
        if (entry.isAny()) {
            endpoint.methods(METHODS.stream()
                    .filter(method -> !entry.others().contains(method))
                    .toList());
            endpoint.remark(
                    Kind.LOOSER,
                    entry.position(),
                    "of the methods, only those listed here are limited; as before, each is counted by itself");
            return "";
        }
        endpoint.methods(List.of(entry.value()));
        return "";
    }

    private static String path(EndpointDraft endpoint, DescriptorEntry entry) {
        if (entry.isAny()) {
            return "it counts each path by itself, and endpoints here count all of their paths together; write an "
                    + "endpoint for each kind of path, with \"per: [ \\\"path:id\\\" ]\" for a {id} in its pattern";
        }
        PathPatterns choice = PathPrefixes.glob(entry.value());
        if (choice.patterns().isEmpty()) {
            return choice.problem();
        }
        endpoint.pathPattern(choice.patterns().get(0));
        if (entry.value().contains("?")) {
            endpoint.remark(Kind.STRICTER, entry.position(), "its path has a query; the limit here is for any query");
        }
        if (entry.isWildcard() && !entry.shared()) {
            endpoint.remark(
                    Kind.STRICTER,
                    entry.position(),
                    "each path that fits had a counter of its own; here all of them have one");
        }
        return "";
    }

    private void remarks(EndpointDraft endpoint, DescriptorLimit limit, SentDescriptor sent) {
        if (!sent.assumptions().isEmpty()) {
            endpoint.remark(Kind.ASSUMED, limit.position(), String.join("; ", sent.assumptions()));
        }
        sent.stricter().forEach(why -> endpoint.remark(Kind.STRICTER, limit.position(), why));
        if (limit.shadow()) {
            endpoint.dryRun();
            endpoint.remark(Kind.DIFFERENT, limit.position(), "shadow_mode is \"mode: dry-run\" here");
        }
        if (limit.quota()) {
            endpoint.remark(
                    Kind.STRICTER,
                    limit.position(),
                    "quota_mode refuses only when all such limits are used up; here each refuses by itself");
        }
        if (replaced.contains(limit.name())) {
            endpoint.remark(
                    Kind.STRICTER,
                    limit.position(),
                    "where a limit holds that replaces " + Quote.of(limit.name()) + ", this one did not; here both do");
        }
        if (!limit.unknownSetting().isEmpty()) {
            endpoint.remarkUnknown(limit.position(), limit.unknownSetting());
        }
    }

    /** Excludes calls whose values have limits of their own from the limit for all other values. */
    private void others(EndpointDraft endpoint, String id, DescriptorLimit limit, int level, Origin origin) {
        DescriptorEntry entry = limit.path().get(level);
        List<String> notToldApart = new ArrayList<>();
        for (String value : entry.isAny() && origin.kind() == Origin.Kind.SOURCE ? entry.others() : Set.<String>of()) {
            DescriptorLimit own = level == limit.path().size() - 1 ? sibling(limit, value) : null;
            if (own != null && own.refusesAll()) {
                continue; // so that at least this limit holds
            }
            DescriptorLimit plain = own != null && own.isPlain() ? own : null;
            if (!draft.give(origin.text(), value, id, plain == null ? TierDraft.UNLIMITED : plain.tier())) {
                notToldApart.add(Quote.of(value));
            } else if (plain != null) {
                ofClients.add(plain);
            }
        }
        if (!notToldApart.isEmpty()) {
            endpoint.remark(
                    Kind.STRICTER,
                    entry.position(),
                    "calls for which " + Quote.of(entry.key()) + " is " + String.join(", ", notToldApart)
                            + " had limits of their own in the place of this one; here this one holds for them too");
        }
    }

    private @Nullable DescriptorLimit sibling(DescriptorLimit limit, String value) {
        return limits.stream()
                .filter(other -> other.last().value().equals(value) && other.isSiblingOf(limit))
                .findFirst()
                .orElse(null);
    }
}
