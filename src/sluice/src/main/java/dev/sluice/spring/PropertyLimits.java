package dev.sluice.spring;

import dev.sluice.internal.config.source.ValueSource;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.TextValues;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * The limits under {@code sluice.limits} in the application's properties. Mistakes are reported with the name and
 * position of the property. The position of a list or a map is that of its first value.
 */
final class PropertyLimits implements ValueSource {

    static final String NAME = "sluice.limits";

    /**
     * Matches values that could be either a string, or a number or boolean. In the file, quotes distinguish strings,
     * but Spring Boot drops the quotes. For the client name {@code "123"}, for example, it returns only the digits.
     */
    private static final Pattern EITHER =
            Pattern.compile("true|false|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+");

    /** Matches strings that YAML would interpret differently if they were unquoted. */
    private static final Pattern QUOTED =
            Pattern.compile("(?i:null)|~|(?!-?[A-Za-z0-9/][A-Za-z0-9_./%+-]*).*", Pattern.DOTALL);

    /**
     * The only key whose value can be an empty list. The key needs special treatment, because Spring Boot converts an
     * empty list to an empty string.
     */
    private static final String PER = "per";

    /** The key to assume for a list without a key. */
    private static final String ENDPOINTS = "endpoints";

    private static final FilePosition ROOT = FilePosition.WHOLE_FILE.key(NAME);

    private final PropertyTree tree;
    private final Environment environment;

    private PropertyLimits(PropertyTree tree, Environment environment) {
        this.tree = tree;
        this.environment = environment;
    }

    /** The limits in the properties; {@code null} if there are no such properties. */
    static @Nullable PropertyLimits of(Environment environment) {
        PropertyTree tree = PropertyTree.of(environment, ConfigurationPropertyName.of(NAME));
        return tree == null ? null : new PropertyLimits(tree, environment);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Value value(TextValues texts) {
        Value value = new Reading(environment, texts, new WrittenScalar()).value(tree, NAME, ROOT);
        return tree.isList()
                ? new Value.Fields(value.position(), Map.of(ENDPOINTS, new Value.Field(value.position(), value)))
                : value;
    }

    /** Converts properties to the values that define the limits. */
    private record Reading(Environment environment, TextValues texts, WrittenScalar written) {

        private Value value(PropertyTree tree, String key, FilePosition name) {
            FilePosition position = placed(name, tree);
            if (tree.isValue()) {
                return scalar(tree, key, position);
            }
            if (tree.isList()) {
                List<Value> items = new ArrayList<>();
                tree.children().values().forEach(item -> items.add(value(item, key, position.item(items.size()))));
                return new Value.Items(position, items);
            }
            Map<String, Value.Field> fields = new LinkedHashMap<>();
            tree.children().forEach((field, below) -> {
                Value value = value(below, field, position.key(field));
                fields.put(field, new Value.Field(value.position(), value));
            });
            return new Value.Fields(position, fields);
        }

        private Value scalar(PropertyTree leaf, String key, FilePosition position) {
            String value = environment.resolvePlaceholders(written.of(leaf.value(), leaf.origin()));
            if (value.isEmpty() || leaf.value() instanceof List<?>) {
                return key.equals(PER)
                        ? new Value.Items(position, List.of())
                        : new Value.Text(position, "", "", Style.PLAIN);
            }
            return texts.value(position, value, style(leaf, value));
        }

        private static Style style(PropertyTree leaf, String value) {
            if (leaf.value() instanceof String && EITHER.matcher(value).matches()) {
                return Style.UNTYPED;
            }
            return QUOTED.matcher(value).matches() ? Style.QUOTED : Style.PLAIN;
        }

        private static FilePosition placed(FilePosition name, PropertyTree tree) {
            PropertyPlace place = PropertyPlace.at(origin(tree));
            return name.at(place.file(), place.line(), place.column());
        }

        /** The origin of the first value; {@code null} if unknown. */
        private static @Nullable Origin origin(PropertyTree tree) {
            Origin own = tree.origin();
            for (PropertyTree child : tree.children().values()) {
                own = own == null ? origin(child) : own;
            }
            return own;
        }
    }
}
