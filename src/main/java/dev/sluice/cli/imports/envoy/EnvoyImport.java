package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.cli.imports.source.ForeignSettings.Notation;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value.Fields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns the configuration of Envoy's ratelimit service into a draft. */
public final class EnvoyImport {

    private final ForeignFile file;
    private final @Nullable ForeignFile envoy;
    private final Draft draft;
    private final List<FilterSettings> filters = new ArrayList<>();

    private EnvoyImport(ForeignFile file, @Nullable ForeignFile envoy) {
        this.file = file;
        this.envoy = envoy;
        this.draft = new Draft("Made by sluice import from " + Quote.of(file.name())
                + ", the configuration of an Envoy ratelimit service"
                + (envoy == null ? "." : ", with the routes of " + Quote.of(envoy.name()) + "."));
    }

    /** Whether a document looks like such a configuration. */
    public static boolean isOne(Fields document) {
        return document.fields().containsKey("domain") && document.fields().containsKey("descriptors");
    }

    /**
     * The file as a draft.
     *
     * @param envoy the configuration of Envoy, whose routes say what descriptors mean; {@code null} to assume that
     */
    public static Draft draft(ForeignFile file, @Nullable ForeignFile envoy) {
        return new EnvoyImport(file, envoy).draft();
    }

    private Draft draft() {
        for (Fields document : file.documents()) {
            document(new ForeignSettings(document, Notation.PLAIN, file.findings()));
        }
        file.requireSound();
        head();
        return draft;
    }

    private void head() {
        draft.head("# Envoy's service counted for all instances together: name a Redis for that in SLUICE_STORE.");
        Set<String> onFailure = filters.stream().map(FilterSettings::onFailure).collect(Collectors.toSet());
        if (onFailure.size() == 1) {
            draft.head("# While the store is away, this does what Envoy did without its service (failure_mode_deny); "
                    + "\"onFailure: share\" would go on limiting.");
        }
        draft.head("store: { uri: \"${SLUICE_STORE:memory:}\""
                + (onFailure.size() == 1
                        ? ", onFailure: " + onFailure.iterator().next()
                        : "") + " }");
        if (onFailure.size() > 1) {
            draft.remark(
                    Kind.DIFFERENT,
                    FilePosition.WHOLE_FILE,
                    "Envoy's filters differ in failure_mode_deny; here \"store.onFailure\" is \"share\" for all");
        }
        draft.head("# If Envoy stays in front of the service, name its addresses, so that \"ip\" is the caller:");
        draft.head("# trustedProxies: [ 10.0.0.0/8 ]");
    }

    private void document(ForeignSettings root) {
        String domain = root.text("domain");
        if (domain == null || !root.has("descriptors")) {
            root.missing(
                    "this lacks \"domain\" and \"descriptors\", which a ratelimit service's configuration has; of a "
                            + "ConfigMap, import the text in its data");
            return;
        }
        List<DescriptorLimit> limits = new Descriptors(draft).read(root);
        for (String key : root.unread()) {
            draft.remark(Kind.LEFT_OUT, root.position(key), "this setting is unknown here");
        }
        file.requireSound();
        RouteTable routes = envoy == null ? null : new RouteTable(envoy, domain);
        if (routes != null) {
            filters.addAll(routes.filters());
            routes.filters().forEach(filter -> filter.remarks(draft));
        }
        EndpointMaker maker = new EndpointMaker(draft, limits);
        List<DescriptorLimit> othersLast = new ArrayList<>(limits);
        othersLast.sort(Comparator.comparing(limit -> !limit.last().isAny())); // they may become tiers of clients
        for (DescriptorLimit limit : othersLast) {
            if (!maker.isOfClient(limit)) {
                limit(limit, maker, routes);
            }
        }
    }

    private void limit(DescriptorLimit limit, EndpointMaker maker, @Nullable RouteTable routes) {
        if (limit.refusesAll()) {
            draft.notImported(
                    limit.position(),
                    "requests_per_unit is 0, so it refuses every call; no limit here can, so refuse such calls in the "
                            + "application or its gateway");
            return;
        }
        if (routes == null) {
            maker.make(limit, KeyConventions.sent(limit), "/**");
        } else {
            routes.make(limit, maker, draft);
        }
    }
}
