package dev.sluice.cli.explain;

import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.FileNotation;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.limits.Limits;
import java.util.ArrayList;
import java.util.List;

/** Finds endpoints that almost match a call, and explains why they do not match. */
final class NearMisses {

    private static final int MOST_LISTED = 10;

    private final Limits limits;

    NearMisses(Limits limits) {
        this.limits = limits;
    }

    /** Returns one line for each endpoint that matches the call's path, but does not match the call. */
    List<String> byPath(ExplainedCall.SeenCall call) {
        List<String> lines = new ArrayList<>();
        for (Endpoint endpoint : matching(limits.caseSensitive(), call.path())) {
            if (!call.isCountedAt(endpoint)) {
                lines.add(endpoint.id() + " matches the path, but " + reason(call, endpoint));
            }
        }
        return lines;
    }

    /**
     * Returns lines for a call without a matching endpoint. They list the endpoints that almost match the call; if
     * there are none, they list all endpoints in the file.
     */
    List<String> ofAnyKind(ExplainedCall.SeenCall call) {
        List<String> lines = byPath(call);
        if (lines.isEmpty()) {
            for (Endpoint endpoint : matching(false, call.path())) {
                lines.add(endpoint.id() + " would match if case did not matter: " + endpoint.paths());
            }
        }
        return lines.isEmpty() ? all() : lines;
    }

    private String reason(ExplainedCall.SeenCall call, Endpoint endpoint) {
        if (endpoint.mode() == Mode.OFF) {
            return "its mode is off";
        }
        if (!isForMethod(endpoint, call.method())) {
            return "is only for " + FileNotation.methods(endpoint);
        }
        if (call.excepted().contains(endpoint.id())) {
            return "excludes it with except: "
                    + String.join(", ", matching(endpoint.except(), call.path(), limits.caseSensitive()));
        }
        List<String> unmet = call.unmet().getOrDefault(endpoint.id(), List.of());
        return unmet.isEmpty() ? "its mode is off for this caller" : "applies only when " + String.join(" and ", unmet);
    }

    private static boolean isForMethod(Endpoint endpoint, String method) {
        return endpoint.methods().isEmpty()
                || endpoint.methods().contains(method.equals("HEAD") ? "GET" : method)
                || endpoint.methods().contains(method);
    }

    /** Returns the endpoints that match the path, regardless of methods and modes. */
    private List<Endpoint> matching(boolean caseSensitive, String path) {
        return limits.endpoints().stream()
                .filter(endpoint -> endpoint.on() == null)
                .filter(endpoint ->
                        !matching(endpoint.pathPatterns(), path, caseSensitive).isEmpty())
                .toList();
    }

    /** Returns the patterns that match the path in any of its readings. */
    private static List<String> matching(List<String> patterns, String path, boolean caseSensitive) {
        return patterns.stream()
                .filter(pattern -> PathPattern.parse(pattern).matches(path, !caseSensitive))
                .toList();
    }

    private List<String> all() {
        List<Endpoint> endpoints = limits.endpoints();
        List<String> lines = new ArrayList<>();
        lines.add("no endpoint matches its path; the file has " + CountText.of(endpoints.size(), "endpoint")
                + (endpoints.isEmpty() ? "" : ":"));
        endpoints.stream().limit(MOST_LISTED).forEach(endpoint -> lines.add("  " + FileNotation.endpoint(endpoint)));
        if (endpoints.size() > MOST_LISTED) {
            lines.add("  and " + (endpoints.size() - MOST_LISTED) + " more");
        }
        return lines;
    }
}
