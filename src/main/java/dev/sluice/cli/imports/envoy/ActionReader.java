package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@code rate_limits} of a route or virtual host: the descriptors that their actions send. */
final class ActionReader {

    private final String cluster;
    private final List<SentDescriptor.Entry> entries = new ArrayList<>();
    private final Map<String, Requirement> requirements = new LinkedHashMap<>();
    private final List<String> methods = new ArrayList<>();
    private final List<String> assumptions = new ArrayList<>();
    private final List<String> stricter = new ArrayList<>();

    private ActionReader(String cluster) {
        this.cluster = cluster;
    }

    /**
     * The descriptors of all rate limits.
     *
     * @param cluster that the route leads to; empty if unknown
     */
    static List<SentDescriptor> read(List<ForeignSettings> rateLimits, String cluster) {
        return rateLimits.stream()
                .map(rateLimit -> new ActionReader(cluster).descriptor(rateLimit))
                .toList();
    }

    private SentDescriptor descriptor(ForeignSettings rateLimit) {
        rateLimit.maps("actions").forEach(this::action);
        return new SentDescriptor(entries, requirements, methods, cost(rateLimit), assumptions, stricter);
    }

    private long cost(ForeignSettings rateLimit) {
        if (rateLimit.has("limit") || rateLimit.truth("apply_on_stream_done", false)) {
            stricter.add("line " + rateLimit.position().line()
                    + ": \"limit\" and \"apply_on_stream_done\" have no counterpart");
        }
        ForeignSettings hits = rateLimit.map("hits_addend");
        if (hits == null) {
            return 1;
        }
        Long number = hits.number("number");
        if (number == null || number == 0) {
            stricter.add("line " + hits.position().line()
                    + ": \"hits_addend\" is not a plain number above 0; here each call counts as 1");
            return 1;
        }
        return number;
    }

    private void action(ForeignSettings action) {
        String kind = action.keys().isEmpty() ? "" : action.keys().get(0);
        Value below = action.value(kind);
        ForeignSettings keys = below instanceof Value.Fields ? action.map(kind) : null;
        ForeignSettings words = keys == null ? action : keys;
        switch (kind) {
            case "remote_address" -> add("remote_address", Origin.source("ip"));
            case "masked_remote_address" -> masked(words);
            case "generic_key" ->
                add(words.text("descriptor_key", "generic_key"), Origin.constant(words.text("descriptor_value", "")));
            case "request_headers" -> header(words);
            case "query_parameters" -> query(words);
            case "source_cluster" -> {
                add("source_cluster", Origin.constant(""));
                assumptions.add("\"source_cluster\" is the cluster of the Envoy in front, whatever the value");
            }
            case "destination_cluster" -> add("destination_cluster", Origin.constant(cluster));
            case "header_value_match" ->
                valueMatch(words, HeaderMatch.of(words.maps("headers"), List.of()), "header_match");
            case "query_parameter_value_match" ->
                valueMatch(words, HeaderMatch.of(List.of(), words.maps("query_parameters")), "query_match");
            case "metadata", "dynamic_metadata" -> metadata(words);
            default ->
                add(
                        words.text("descriptor_key", kind),
                        Origin.unknown("Envoy's action " + Quote.of(kind) + " (line "
                                + action.position().line() + ") has no counterpart; write the endpoint by hand"));
        }
    }

    private void add(String key, Origin origin) {
        entries.add(new SentDescriptor.Entry(key, origin));
    }

    private void masked(ForeignSettings words) {
        Long bits = words.number("v4_prefix_mask_len");
        if (bits == null || bits == 32) {
            add("masked_remote_address", Origin.source("ip"));
            Long prefix = words.number("v6_prefix_mask_len");
            if (prefix != null && prefix != 128) {
                assumptions.add(
                        "each IPv6 address counts by itself; to count networks as Envoy did, write \"ipv6Prefix: "
                                + prefix + "\"");
            }
        } else {
            add(
                    "masked_remote_address",
                    Origin.unknown("each IPv4 address counts by itself here, not its /" + bits
                            + " network; a SubjectResolver of the application can do that"));
        }
    }

    private void header(ForeignSettings words) {
        String name = words.text("header_name", "");
        if (words.truth("skip_if_absent", false)) {
            stricter.add("with skip_if_absent, Envoy sends a shorter descriptor for calls without the header "
                    + Quote.of(name) + "; import looks only at calls with it");
        }
        add(words.text("descriptor_key", name), Origin.header(name));
    }

    private void query(ForeignSettings words) {
        String name = words.text("query_parameter_name", "");
        add(words.text("descriptor_key", name), Origin.source("query:" + name));
    }

    private void valueMatch(ForeignSettings words, HeaderMatch match, String usualKey) {
        if (!words.truth("expect_match", true)) {
            stricter.add("expect_match is false, so it is for calls that do not match; \"when\" cannot express that");
        }
        boolean twice = match.requirements().entrySet().stream()
                .anyMatch(entry -> requirements.putIfAbsent(entry.getKey(), entry.getValue()) != null);
        if (twice) {
            stricter.add("\"when\" cannot have two conditions for one header");
        }
        methods.addAll(match.methods());
        stricter.addAll(match.unsupported());
        add(words.text("descriptor_key", usualKey), Origin.constant(words.text("descriptor_value", "")));
    }

    private void metadata(ForeignSettings words) {
        ForeignSettings key = words.map("metadata_key");
        List<ForeignSettings> path = key == null ? List.of() : key.maps("path");
        boolean token = key != null && key.text("key", "").equals("envoy.filters.http.jwt_authn") && !path.isEmpty();
        String name = words.text("descriptor_key", "");
        if (token) {
            String claim = path.get(path.size() - 1).text("key", "");
            add(name, Origin.source("claim:" + claim));
            assumptions.add(Quote.of(name) + " is the claim " + Quote.of(claim)
                    + " of a token that Spring Security verified before the filter");
        } else {
            add(
                    name,
                    Origin.unknown(Quote.of(name) + " comes from Envoy's metadata (line "
                            + words.position().line() + "), which the application does not see"));
        }
    }
}
