package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.cli.imports.source.ForeignSettings.Notation;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The routes that Envoy's configuration has wherever it has virtual hosts; the import looks there for the descriptors of
 * limits.
 */
final class RouteTable {

    /** Envoy also accepts keys in camel case. */
    private static final Notation NOTATION =
            written -> written.replaceAll("(?<=[a-z0-9])([A-Z])", "_$1").toLowerCase(Locale.ROOT);

    private final ForeignFile file;
    private final String domain;
    private final List<ForeignSettings> hosts = new ArrayList<>();
    private final List<FilterSettings> filters = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();

    RouteTable(ForeignFile file, String domain) {
        this.file = file;
        this.domain = domain;
        file.documents().forEach(this::look);
        if (hosts.isEmpty()) {
            throw new CommandFailure(file.name() + " has no virtual_hosts, so there are no routes to read");
        }
        if (!filters.isEmpty() && filters().isEmpty()) {
            throw new CommandFailure(file.name() + " asks the ratelimit service for the domain "
                    + Quote.of(filters.get(0).domain()) + ", not for " + Quote.of(domain));
        }
        hosts.forEach(this::host);
        file.requireSound();
    }

    /** The filters that ask the service for this domain. */
    List<FilterSettings> filters() {
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
                filters.add(new FilterSettings(settings, file.name()));
            }
            if (settings.has("virtual_hosts")) {
                hosts.addAll(settings.maps("virtual_hosts"));
            }
            map.fields().values().forEach(field -> look(field.value()));
        }
    }

    private void host(ForeignSettings host) {
        List<String> names = host.texts("domains");
        List<String> stricter = names.isEmpty() || names.contains("*")
                ? List.of()
                : List.of("Envoy sends this only for the hosts " + Quote.plain(String.join(", ", names))
                        + "; write \"when: { \\\"header:Host\\\": … }\" if the service has others");
        List<SentDescriptor> ofHost = ActionReader.read(host.maps("rate_limits"), "");
        List<Route> earlier = new ArrayList<>();
        for (ForeignSettings entry : host.maps("routes")) {
            Route route = Route.read(entry, ofHost, stricter, List.copyOf(earlier));
            routes.add(route);
            earlier.add(route);
        }
    }

    /** Adds the endpoints of a limit: one if all calls send the same descriptor, otherwise one for each path. */
    void make(DescriptorLimit limit, EndpointMaker maker, Draft draft) {
        Map<SentDescriptor, List<Route>> senders = new LinkedHashMap<>();
        for (Route route : routes) {
            for (SentDescriptor sent : route.sent()) {
                if (sent.finds(limit)) {
                    List<Route> all = senders.computeIfAbsent(sent, any -> new ArrayList<>());
                    if (!all.contains(route)) {
                        all.add(route);
                    }
                }
            }
        }
        if (senders.isEmpty()) {
            draft.notImported(limit.position(), "no route of Envoy's configuration sends such a descriptor");
        }
        boolean alone = senders.size() == 1;
        senders.forEach((sent, all) -> make(limit, sent, all, alone, maker, draft));
    }

    private static void make(
            DescriptorLimit limit,
            SentDescriptor sent,
            List<Route> senders,
            boolean alone,
            EndpointMaker maker,
            Draft draft) {
        boolean everything = senders.stream().anyMatch(route -> route.isRest() && senders.containsAll(route.earlier()));
        if (everything && alone) {
            maker.make(limit, sent, "/**");
            return;
        }
        long patterns = senders.stream()
                .mapToLong(route -> route.path().paths().patterns().size())
                .sum();
        for (Route route : senders) {
            if (route.path().paths().patterns().isEmpty()) {
                draft.notImported(
                        limit.position(),
                        "route " + route.text() + ": " + route.path().paths().problem());
            }
            List<String> stricter = stricter(route, senders);
            for (String pattern : route.path().paths().patterns()) {
                maker.make(limit, sent, pattern, route, stricter, !alone || patterns > 1);
            }
        }
    }

    private static List<String> stricter(Route route, List<Route> senders) {
        List<String> stricter = new ArrayList<>(route.stricter());
        if (!route.path().paths().broader().isEmpty()) {
            stricter.add("the pattern of route " + route.text() + " also matches "
                    + route.path().paths().broader());
        }
        route.earlier().stream()
                .filter(earlier -> !senders.contains(earlier) && earlier.path().overlaps(route.path()))
                .forEach(earlier -> stricter.add("an earlier route takes calls to " + earlier.text()
                        + ", so this limit did not apply to them; here it does"));
        return stricter;
    }
}
