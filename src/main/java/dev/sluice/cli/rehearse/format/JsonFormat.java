package dev.sluice.cli.rehearse.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cli.rehearse.call.ExtraFields;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.format.Field.Kind;
import dev.sluice.cli.rehearse.format.JsonFields.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lines that are JSON objects. Not thread-safe. */
final class JsonFormat implements LineFormat {

    private static final int MOST_EXTRAS = 100;

    private final JsonFactory factory = new JsonFactory();
    private final Predicate<String> wanted;
    private final Node root;
    private final List<String> names = new CopyOnWriteArrayList<>();
    /** Headers that the limits do not need; at most a few, since a log has few. */
    private final Set<String> unwanted = new HashSet<>();

    private final LineFields fields;
    private final Map<Kind, Integer> ranks = new EnumMap<>(Kind.class);

    JsonFormat(Map<String, String> named, Predicate<String> wanted, List<ExtraFields> fieldNames) {
        this.wanted = wanted;
        this.root = new JsonFields(named).root;
        this.fields = new LineFields(fieldNames, new ExtraFields(names), false);
    }

    @Override
    public String name() {
        return "JSON lines";
    }

    @Override
    public @Nullable LoggedCall read(byte[] line, int from, int to) {
        if (from == to || line[from] != '{') {
            return null;
        }
        fields.begin(names.size() + 1);
        ranks.clear();
        try (JsonParser parser = factory.createParser(line, from, to - from)) {
            boolean isRead = parser.nextToken() == JsonToken.START_OBJECT && object(parser, root, true);
            return isRead && parser.nextToken() == null ? fields.call() : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Reads an object to its end; returns whether all its fields could be read. */
    private boolean object(JsonParser parser, Node node, boolean isAtTop) throws IOException {
        boolean isRead = true;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            Node inside = node.get(key);
            Field field = inside == null ? JsonFields.header(node, key, isAtTop) : inside.field();
            isRead &= value(parser, parser.nextToken(), inside, field);
        }
        return isRead;
    }

    private boolean value(JsonParser parser, JsonToken token, @Nullable Node inside, @Nullable Field field)
            throws IOException {
        if (token == JsonToken.START_OBJECT) {
            if (inside != null) {
                return object(parser, inside, false);
            }
            parser.skipChildren();
        } else if (token == JsonToken.START_ARRAY) {
            return array(parser, inside, field);
        } else if (field != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            return take(field, inside == null ? Integer.MAX_VALUE - 1 : inside.rank(), parser.getText());
        }
        return true;
    }

    /** The first value of an array counts. */
    private boolean array(JsonParser parser, @Nullable Node inside, @Nullable Field field) throws IOException {
        boolean isRead = true;
        boolean isFirst = true;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == null) {
                return false;
            }
            if (token.isStructStart()) {
                parser.skipChildren();
            } else if (isFirst) {
                isRead = value(parser, token, inside, field);
            }
            isFirst = false;
        }
        return isRead;
    }

    private boolean take(Field field, int rank, String text) {
        Kind kind = field.kind();
        int extra = field.kind() == Kind.EXTRA ? extra(field.name()) : -1;
        if (field.kind() != Kind.EXTRA) {
            Integer before = ranks.get(kind);
            if (before != null && rank >= before) {
                return true;
            }
            ranks.put(kind, rank);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return fields.take(field, extra, bytes, 0, bytes.length);
    }

    private int extra(String name) {
        int known = names.indexOf(name);
        if (known >= 0 || names.size() == MOST_EXTRAS || unwanted.contains(name)) {
            return known;
        }
        if (Field.extra(name).ifWanted(wanted).kind() == Kind.EXTRA) {
            names.add(name);
            return names.size() - 1;
        }
        if (unwanted.size() < MOST_EXTRAS) {
            unwanted.add(name);
        }
        return -1;
    }
}
