package dev.sluice.cli.rehearse.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cli.rehearse.format.Field.Kind;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The format of lines that are JSON objects. It supports the keys of Caddy and Traefik, other common keys, and the keys
 * in {@code --field}. Keys can be nested or joined by dots. Not thread-safe.
 */
final class JsonFormat implements LineFormat {

    /**
     * The known keys of each field. If a line contains several of them, the first one in this list takes precedence.
     * The keys of Caddy and Traefik come first.
     */
    private static final Map<Kind, String> KNOWN = Map.ofEntries(
            Map.entry(Kind.START, "StartUTC StartLocal"),
            Map.entry(Kind.END, "ts time timestamp @timestamp time_iso8601 time_local msec date"),
            Map.entry(Kind.REQUEST, "request"),
            Map.entry(
                    Kind.METHOD,
                    "request.method RequestMethod method request_method http_method verb http.request.method "
                            + "httpRequest.requestMethod"),
            Map.entry(
                    Kind.TARGET,
                    "request.uri RequestPath request_uri uri path url request_path url.original url.path "
                            + "httpRequest.requestUrl"),
            Map.entry(Kind.QUERY, "url.query args query_string"),
            Map.entry(
                    Kind.STATUS,
                    "DownstreamStatus status status_code code response http.response.status_code httpRequest.status"),
            Map.entry(
                    Kind.PEER,
                    "request.client_ip request.remote_ip request.remote_addr ClientHost ClientAddr remote_addr"
                            + " remote_ip client_ip clientip clientIp ip client.ip client.address source.ip source.address"
                            + " httpRequest.remoteIp"),
            Map.entry(Kind.USER, "user_id ClientUsername remote_user user user.name"),
            Map.entry(Kind.SECONDS, "duration request_time"),
            Map.entry(Kind.MILLIS, "duration_ms latency_ms"),
            Map.entry(Kind.NANOS, "Duration event.duration"));

    /**
     * The paths of objects whose keys are header names. In contrast, the constant below lists the prefixes of keys that
     * end with a header name.
     */
    private static final List<String> HEADER_OBJECTS = List.of("request.headers", "headers", "http.request.headers");

    private static final List<String> HEADER_PREFIXES = List.of("request_", "http_");

    private final JsonFactory factory = new JsonFactory();
    private final Node root = new Node();
    /** The rank of the key that supplied each field of the current line. */
    private final Map<Kind, Integer> ranks = new EnumMap<>(Kind.class);

    /** Registers the common keys and the keys in {@code --field}. The keys in {@code --field} take precedence. */
    JsonFormat(Map<String, String> named) {
        int rank = 0;
        for (Map.Entry<String, String> one : named.entrySet()) {
            root.at(one.getValue()).assign(Field.named(one.getKey()), rank++);
        }
        for (Map.Entry<Kind, String> known : KNOWN.entrySet()) {
            for (String key : known.getValue().split(" ", -1)) {
                root.at(key).assign(Field.of(known.getKey()), rank++);
            }
        }
        HEADER_OBJECTS.forEach(path -> root.at(path).namesHeaders = true);
    }

    @Override
    public String name() {
        return "JSON lines";
    }

    @Override
    public @Nullable LoggedCall read(String line) {
        if (!line.startsWith("{")) {
            return null;
        }
        LineFields fields = new LineFields(false);
        ranks.clear();
        try (JsonParser parser = factory.createParser(line)) {
            boolean isRead = parser.nextToken() == JsonToken.START_OBJECT && object(parser, root, fields);
            // If text follows the object, the line is in a different format.
            return isRead && parser.nextToken() == null ? fields.call() : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Reads an object to its end. Returns whether all its fields could be read. */
    private boolean object(JsonParser parser, Node node, LineFields fields) throws IOException {
        boolean isRead = true;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            Node inside = node.get(key);
            Field field = inside == null ? header(node, key) : inside.field;
            isRead &= value(parser, parser.nextToken(), inside, field, fields);
        }
        return isRead;
    }

    private boolean value(
            JsonParser parser, JsonToken token, @Nullable Node inside, @Nullable Field field, LineFields fields)
            throws IOException {
        // We read an object only if it might contain a known key. Otherwise, we skip it without parsing its content, no
        // matter how deeply it is nested.
        if (token == JsonToken.START_OBJECT) {
            if (inside != null) {
                return object(parser, inside, fields);
            }
            parser.skipChildren();
        } else if (token == JsonToken.START_ARRAY) {
            return array(parser, inside, field, fields);
        } else if (field != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            return take(field, inside == null ? Integer.MAX_VALUE : inside.rank, parser.getText(), fields);
        }
        return true;
    }

    /** Reads an array. Only its first value is used, because a header can have several values. */
    private boolean array(JsonParser parser, @Nullable Node inside, @Nullable Field field, LineFields fields)
            throws IOException {
        boolean isRead = true;
        boolean isFirst = true;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == null) {
                return false;
            }
            if (token.isStructStart()) {
                parser.skipChildren();
            } else if (isFirst) {
                isRead = value(parser, token, inside, field, fields);
            }
            isFirst = false;
        }
        return isRead;
    }

    private boolean take(Field field, int rank, String text, LineFields fields) {
        if (field.kind() != Kind.EXTRA) {
            Integer before = ranks.get(field.kind());
            if (before != null && rank >= before) {
                return true;
            }
            ranks.put(field.kind(), rank);
        }
        return fields.take(field, text);
    }

    /** Returns the header to which a key without a field refers; {@code null} if it refers to none. */
    private @Nullable Field header(Node parent, String key) {
        if (parent.namesHeaders) {
            return Field.header(key);
        }
        for (String prefix : HEADER_PREFIXES) {
            if (parent == root && key.startsWith(prefix) && key.length() > prefix.length()) {
                return Field.header(key.substring(prefix.length()));
            }
        }
        return null;
    }

    /** A key and the keys nested in it. */
    private static final class Node {

        private final Map<String, Node> inside = new HashMap<>();
        private boolean namesHeaders;
        private @Nullable Field field;
        /** The precedence of the key. If several keys supply the same field, the one with the lowest rank wins. */
        private int rank;

        private @Nullable Node get(String key) {
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
    }
}
