package dev.sluice.cli.imports.envoy;

import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The usual meaning of descriptors' keys, which import assumes without Envoy's routes. */
final class KeyConventions {

    private static final Set<String> CONSTANTS = Set.of("generic_key", "destination_cluster", "source_cluster");
    private static final Set<String> MATCHES = Set.of("header_match", "query_match");
    private static final Set<String> PATHS = Set.of("path", ":path", "uri", "url");
    private static final Set<String> METHODS = Set.of("method", ":method", "http_method");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

    private KeyConventions() {}

    /** The descriptor that probably finds this limit. */
    static SentDescriptor sent(DescriptorLimit limit) {
        List<SentDescriptor.Entry> entries = new ArrayList<>();
        List<String> assumptions = new ArrayList<>();
        for (DescriptorLimit.Entry entry : limit.path()) {
            Origin origin = origin(entry);
            entries.add(new SentDescriptor.Entry(entry.key(), origin));
            assumptions.add(Quote.of(entry.key()) + " is " + meaning(origin));
        }
        assumptions.add("calls to all paths send it");
        return new SentDescriptor(entries, Map.of(), List.of(), 1, assumptions, List.of());
    }

    private static Origin origin(DescriptorLimit.Entry entry) {
        String key = entry.key().toLowerCase(Locale.ROOT);
        if (key.equals("remote_address") || key.equals("masked_remote_address")) {
            return Origin.source("ip");
        }
        if (MATCHES.contains(key)) {
            return Origin.unknown("the matchers in Envoy's routes define " + Quote.of(entry.key())
                    + "; name that file with --routes FILE");
        }
        if (CONSTANTS.contains(key)) {
            return Origin.constant("");
        }
        if (METHODS.contains(key)) {
            return Origin.header(":method");
        }
        if (PATHS.contains(key) || entry.value().startsWith("/")) {
            return Origin.header(":path");
        }
        return HEADER.matcher(entry.key()).matches()
                ? Origin.header(entry.key())
                : Origin.unknown("the actions in Envoy's routes define " + Quote.of(entry.key())
                        + "; name that file with --routes FILE");
    }

    private static String meaning(Origin origin) {
        return switch (origin.kind()) {
            case CONSTANT -> "the same for all calls that send it";
            case SOURCE ->
                origin.text().equals("ip")
                        ? "the caller's address"
                        : "the header " + origin.text().substring("header:".length());
            case PATH -> "the path";
            case METHOD -> "the method";
            case UNKNOWN -> "unknown";
        };
    }
}
