package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.format.Field.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which key of JSON has which field of a call: the keys of Caddy and Traefik, other common keys, and those of {@code
 * --field}. Keys may be nested, or be joined by dots.
 */
final class JsonFields {

    private static final List<Known> KNOWN = List.of(
            // Caddy
            new Known(Kind.END, "ts"),
            new Known(Kind.PEER, "request.client_ip", "request.remote_ip", "request.remote_addr"),
            new Known(Kind.METHOD, "request.method"),
            new Known(Kind.TARGET, "request.uri"),
            new Known(Kind.SECONDS, "duration"),
            new Known(Kind.USER, "user_id"),
            // Traefik
            new Known(Kind.START, "StartUTC", "StartLocal"),
            new Known(Kind.PEER, "ClientHost", "ClientAddr"),
            new Known(Kind.METHOD, "RequestMethod"),
            new Known(Kind.TARGET, "RequestPath"),
            new Known(Kind.STATUS, "DownstreamStatus"),
            new Known(Kind.NANOS, "Duration"),
            new Known(Kind.USER, "ClientUsername"),
            // others
            new Known(Kind.END, "time", "timestamp", "@timestamp", "time_iso8601", "time_local", "msec", "date"),
            new Known(Kind.PEER, "remote_addr", "remote_ip", "client_ip", "clientip", "clientIp", "ip", "client.ip"),
            new Known(Kind.PEER, "client.address", "source.ip", "source.address", "httpRequest.remoteIp"),
            new Known(Kind.REQUEST, "request"),
            new Known(Kind.METHOD, "method", "request_method", "http_method", "verb", "http.request.method"),
            new Known(Kind.METHOD, "httpRequest.requestMethod"),
            new Known(Kind.TARGET, "request_uri", "uri", "path", "url", "request_path", "url.original", "url.path"),
            new Known(Kind.TARGET, "httpRequest.requestUrl"),
            new Known(Kind.QUERY, "url.query", "args", "query_string"),
            new Known(Kind.STATUS, "status", "status_code", "code", "response", "http.response.status_code"),
            new Known(Kind.STATUS, "httpRequest.status"),
            new Known(Kind.USER, "remote_user", "user", "user.name"),
            new Known(Kind.SECONDS, "request_time"),
            new Known(Kind.MILLIS, "duration_ms", "latency_ms"),
            new Known(Kind.NANOS, "event.duration"));

    /** Objects whose keys are headers, and the beginnings of keys that are headers. */
    private static final List<String> HEADER_OBJECTS = List.of("request.headers", "headers", "http.request.headers");

    private static final List<String> HEADER_PREFIXES = List.of("request_", "http_");

    final Node root = new Node();

    /** Builds the tree; the keys of {@code --field} come first. */
    JsonFields(Map<String, String> named) {
        int rank = 0;
        for (Map.Entry<String, String> one : named.entrySet()) {
            root.at(one.getValue()).assign(Field.named(one.getKey()), rank++);
        }
        for (Known known : KNOWN) {
            for (String path : known.paths) {
                root.at(path).assign(Field.of(known.kind), rank++);
            }
        }
        HEADER_OBJECTS.forEach(path -> root.at(path).namesHeaders = true);
    }

    private record Known(Kind kind, List<String> paths) {

        private Known(Kind kind, String... paths) {
            this(kind, List.of(paths));
        }
    }

    /** The header that a key without a field stands for; {@code null} if it is none. */
    static @Nullable Field header(Node parent, String key, boolean isAtTop) {
        if (parent.namesHeaders) {
            return Field.header(key);
        }
        for (String prefix : HEADER_PREFIXES) {
            if (isAtTop && key.startsWith(prefix) && key.length() > prefix.length()) {
                return Field.header(key.substring(prefix.length()));
            }
        }
        return null;
    }

    /** One key, and the keys inside it. */
    static final class Node {

        private final Map<String, Node> inside = new HashMap<>();
        private boolean namesHeaders;
        private @Nullable Field field;
        private int rank;

        @Nullable Node get(String key) {
            Node known = inside.get(key);
            return known == null && key.indexOf('.') > 0 ? find(key) : known;
        }

        private @Nullable Node find(String dotted) {
            Node node = this;
            for (String key : dotted.split("\\.", -1)) {
                node = node == null ? null : node.inside.get(key);
            }
            return node;
        }

        private Node at(String path) {
            Node node = this;
            for (String key : path.split("\\.", -1)) {
                node = node.inside.computeIfAbsent(key, name -> new Node());
            }
            return node;
        }

        private void assign(Field meant, int rankOfIt) {
            if (field == null) {
                field = meant;
                rank = rankOfIt;
            }
        }

        @Nullable Field field() {
            return field;
        }

        /** If several keys have the same field, the lowest rank wins. */
        int rank() {
            return rank;
        }
    }
}
