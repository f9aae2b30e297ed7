package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.cli.imports.source.Notation;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the routes from Envoy's configuration, wherever it has virtual hosts. */
final class RouteReader {

    /** Envoy also accepts keys in camel case. */
    private static final Notation NOTATION =
            written -> written.replaceAll("(?<=[a-z0-9])([A-Z])", "_$1").toLowerCase(Locale.ROOT);

    private final ForeignFile file;
    private final List<ForeignSettings> hosts = new ArrayList<>();
    private final List<FilterSettings> filters = new ArrayList<>();

    RouteReader(ForeignFile file) {
        this.file = file;
        file.documents().forEach(this::look);
    }

    List<Route> read(String domain) {
        Set<String> domains = new LinkedHashSet<>();
        filters.forEach(filter -> domains.add(filter.domain()));
        if (hosts.isEmpty()) {
            throw new CommandFailure(file.name() + " has no virtual_hosts, so there are no routes to read");
        }
        if (!domains.isEmpty() && !domains.contains(domain)) {
            throw new CommandFailure(file.name() + " asks the ratelimit service for the domain "
                    + Quote.of(domains.iterator().next()) + ", not for " + Quote.of(domain));
        }
        List<Route> routes = new ArrayList<>();
        for (ForeignSettings host : hosts) {
            host(host, routes);
        }
        file.requireSound();
        return routes;
    }

    /** The filters that ask the service for this domain. */
    List<FilterSettings> filters(String domain) {
        return filters.stream().filter(filter -> filter.domain().equals(domain)).toList();
    }

    /** Collects virtual hosts, and the filters that ask the service. */
    private void look(Value value) {
        if (value instanceof Value.Items items) {
            items.values().forEach(this::look);
        } else if (value instanceof Value.Fields map) {
            ForeignSettings settings = new ForeignSettings(map, NOTATION, file.findings());
            if (settings.value("@type") instanceof Text type
                    && type.content().endsWith(".ratelimit.v3.RateLimit")
                    && settings.has("domain")) {
                filters.add(new FilterSettings(settings));
            }
            if (settings.has("virtual_hosts")) {
                hosts.addAll(settings.maps("virtual_hosts"));
            }
            map.fields().values().forEach(field -> look(field.value()));
        }
    }

    private void host(ForeignSettings host, List<Route> routes) {
        List<String> names = host.texts("domains");
        List<String> stricter = names.isEmpty() || names.contains("*")
                ? List.of()
                : List.of("Envoy sends this only for the hosts " + Quote.plain(String.join(", ", names))
                        + "; write \"when: { \\\"header:Host\\\": … }\" if the service has others");
        List<SentDescriptor> ofHost = ActionReader.read(host.maps("rate_limits"), "");
        List<Route> earlier = new ArrayList<>();
        for (ForeignSettings entry : host.maps("routes")) {
            Route route = route(entry, ofHost, stricter, earlier);
            routes.add(route);
            earlier.add(route);
        }
    }

    private static Route route(
            ForeignSettings entry, List<SentDescriptor> ofHost, List<String> ofNames, List<Route> earlier) {
        ForeignSettings match = entry.map("match");
        ForeignSettings action = entry.map("route");
        List<SentDescriptor> sent = new ArrayList<>();
        String cluster = action == null ? "" : action.text("cluster", "");
        boolean withHost = action != null && action.truth("include_vh_rate_limits", false);
        if (action != null) {
            sent.addAll(ActionReader.read(action.maps("rate_limits"), cluster));
        }
        ForeignSettings filters = entry.map("typed_per_filter_config");
        ForeignSettings filter = filters == null ? null : filters.map("envoy.filters.http.ratelimit");
        boolean withoutHost = false;
        if (filter != null) {
            sent.addAll(ActionReader.read(filter.maps("rate_limits"), cluster));
            withHost |= filter.text("vh_rate_limits", "").equalsIgnoreCase("INCLUDE");
            withoutHost = filter.text("vh_rate_limits", "").equalsIgnoreCase("IGNORE");
        }
        if ((sent.isEmpty() || withHost) && !withoutHost) {
            sent.addAll(ofHost);
        }
        HeaderMatch headers = new HeaderMatch();
        List<String> stricter = new ArrayList<>(ofNames);
        if (match != null) {
            headers.read(match.maps("headers")).readQuery(match.maps("query_parameters"));
            stricter.addAll(unsupported(match));
        }
        stricter.addAll(headers.unsupported());
        int line = entry.position().line();
        return new Route(line, PathMatch.of(match), headers.requirements(), headers.methods(), stricter, sent, earlier);
    }

    private static List<String> unsupported(ForeignSettings match) {
        List<String> unsupported = new ArrayList<>();
        if (!match.truth("case_sensitive", true)) {
            unsupported.add("the route ignores case; here \"caseSensitive: false\" is for the whole file");
        }
        for (String other : List.of("runtime_fraction", "grpc", "tls_context", "dynamic_metadata", "cookies")) {
            if (match.has(other)) {
                unsupported.add("the route also has the condition " + other + ", which has no counterpart");
            }
        }
        return unsupported;
    }
}
