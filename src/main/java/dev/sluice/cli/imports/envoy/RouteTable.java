package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.source.ForeignFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes of Envoy's configuration, in which the import looks for the descriptors of limits.
 *
 * @param filters that ask the service for this domain
 */
record RouteTable(List<Route> routes, List<FilterSettings> filters) {

    RouteTable {
        routes = List.copyOf(routes);
        filters = List.copyOf(filters);
    }

    /** The routes of the file. */
    static RouteTable read(ForeignFile envoy, String domain) {
        RouteReader reader = new RouteReader(envoy);
        return new RouteTable(reader.read(domain), reader.filters(domain));
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
            draft.remark(
                    Kind.NOT_IMPORTED, limit.position(), "no route of Envoy's configuration sends such a descriptor");
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
                draft.remark(
                        Kind.NOT_IMPORTED,
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
