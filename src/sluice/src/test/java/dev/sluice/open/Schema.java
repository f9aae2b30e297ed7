package dev.sluice.open;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.config.yaml.YamlTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The published JSON Schema, applied to files as an editor does. */
public final class Schema {

    private static final JsonNode TREE = read();
    private static final Pattern BOUNDS = Pattern.compile("from (\\d\\S*) to (\\w+)");
    private static final com.networknt.schema.Schema SCHEMA = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12)
            .getSchema(TREE);

    private Schema() {}

    private static JsonNode read() {
        try (InputStream in = Schema.class.getResourceAsStream("/dev/sluice/rate-limits.schema.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The errors that the schema finds in the text of a file. */
    public static List<Error> problems(String yaml) {
        return SCHEMA.validate(json(yaml));
    }

    public static List<Error> problems(JsonNode file) {
        return SCHEMA.validate(file);
    }

    /** All keys that the schema describes, for example {@code endpoints[].tiers[].period}. */
    public static Set<String> vocabulary() {
        Set<String> paths = new TreeSet<>();
        walk("", TREE.at("/$defs/file"), (path, schema) -> paths.add(path));
        return paths;
    }

    /** Passes on each key with its schema. */
    public static void eachKey(BiConsumer<String, JsonNode> seen) {
        walk("", TREE.at("/$defs/file"), seen);
    }

    private static void walk(String path, JsonNode schema, BiConsumer<String, JsonNode> seen) {
        schema.path("properties").properties().forEach(entry -> {
            String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            seen.accept(below, entry.getValue());
            walk(below, resolved(entry.getValue()), seen);
        });
        if (schema.has("items")) {
            walk(path + "[]", resolved(schema.get("items")), seen);
        }
    }

    /** For each key, its default in the schema. */
    public static Map<String, JsonNode> defaults() {
        Map<String, JsonNode> defaults = new TreeMap<>();
        eachKey((path, schema) -> {
            if (schema.has("default")) {
                defaults.put(path, schema.get("default"));
            }
        });
        return defaults;
    }

    /**
     * For each key, its smallest and largest value, from the schema or its description, for example {@code 1 to
     * 128}.
     */
    public static Map<String, String> bounds() {
        Map<String, String> bounds = new TreeMap<>();
        eachKey((path, schema) -> {
            JsonNode number = schema.path("items").isMissingNode() ? schema : schema.get("items");
            Matcher told = BOUNDS.matcher(schema.path("description").asText());
            if (number.at("/anyOf/0").has("maximum")) {
                bounds.put(
                        path,
                        number.at("/anyOf/0/minimum").asText() + " to "
                                + number.at("/anyOf/0/maximum").asText());
            } else if (told.find()) {
                bounds.put(path, told.group(1) + " to " + told.group(2));
            }
        });
        return bounds;
    }

    private static JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? TREE.at(schema.get("$ref").asText().substring(1)) : schema;
    }

    public static boolean requires(String path) {
        int dot = path.lastIndexOf('.');
        String definition = path.contains(".block.")
                ? "tier/properties/block"
                : path.contains("tiers[]")
                        ? "tier"
                        : path.contains("endpoints[]") ? "endpoint" : path.contains("clients[]") ? "client" : "file";
        for (JsonNode required : TREE.at("/$defs/" + definition + "/required")) {
            if (required.asText().equals(path.substring(dot + 1))) {
                return true;
            }
        }
        return false;
    }

    /** YAML as an editor reads it. */
    public static JsonNode json(String yaml) {
        Value value = new YamlTree(Variables.of(name -> null), new Findings("")).parse(yaml);
        return json(Objects.requireNonNull(value));
    }

    private static JsonNode json(Value value) {
        if (value instanceof Value.Fields map) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            map.fields().forEach((key, field) -> object.set(key, json(field.value())));
            return object;
        }
        if (value instanceof Value.Items list) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            list.values().forEach(item -> array.add(json(item)));
            return array;
        }
        return value instanceof Value.Text text ? json(text) : JsonNodeFactory.instance.missingNode();
    }

    private static JsonNode json(Value.Text text) {
        if (text.style() != Value.Text.Style.PLAIN) {
            return JsonNodeFactory.instance.textNode(text.written());
        }
        if (text.isMissing()) {
            return JsonNodeFactory.instance.nullNode();
        }
        if (text.content().matches("true|false")) {
            return JsonNodeFactory.instance.booleanNode(Boolean.parseBoolean(text.content()));
        }
        return text.content().matches("[-+]?[0-9]+(\\.[0-9]+)?")
                ? JsonNodeFactory.instance.numberNode(new BigDecimal(text.content()))
                : JsonNodeFactory.instance.textNode(text.content());
    }
}
