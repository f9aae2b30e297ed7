package dev.sluice.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * The properties below a name, as a tree. As always in Spring Boot, values from earlier sources override values from
 * later ones, and a list is read completely from the first source that contains it.
 *
 * @param leaf the value of a leaf; {@code null} for a list or a map
 * @param origin the origin of a leaf; {@code null} if unknown
 * @param isList whether this is a list
 * @param children the children, by key or by index in a list
 */
record PropertyTree(
        @Nullable Object leaf, @Nullable Origin origin, boolean isList, Map<String, PropertyTree> children) {

    /** A property and the number of the source that contains it. */
    private record Entry(int source, ConfigurationPropertyName name, ConfigurationProperty property) {}

    /** The tree; {@code null} if there are no such properties. */
    static @Nullable PropertyTree of(Environment environment, ConfigurationPropertyName root) {
        List<Entry> entries = new ArrayList<>();
        int number = 0;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            int index = number++;
            if (source instanceof IterableConfigurationPropertySource iterable) {
                for (ConfigurationPropertyName name : iterable) {
                    ConfigurationProperty property =
                            root.equals(name) || root.isAncestorOf(name) ? source.getConfigurationProperty(name) : null;
                    if (property != null) {
                        entries.add(new Entry(index, name, property));
                    }
                }
            }
        }
        return entries.isEmpty() ? null : of(entries, root.getNumberOfElements());
    }

    private static PropertyTree of(List<Entry> entries, int depth) {
        Entry first = entries.get(0);
        if (first.name.getNumberOfElements() == depth) {
            return new PropertyTree(first.property.getValue(), first.property.getOrigin(), false, Map.of());
        }
        boolean list = first.name.isNumericIndex(depth);
        Map<String, List<Entry>> groups = new LinkedHashMap<>();
        Map<String, String> keys = new LinkedHashMap<>();
        for (Entry entry : entries) {
            boolean isBelow = entry.name.getNumberOfElements() > depth;
            if (isBelow && (!list || entry.source == first.source)) {
                String uniform = entry.name.getElement(depth, ConfigurationPropertyName.Form.UNIFORM);
                keys.putIfAbsent(uniform, entry.name.getElement(depth, ConfigurationPropertyName.Form.ORIGINAL));
                groups.computeIfAbsent(uniform, missing -> new ArrayList<>()).add(entry);
            }
        }
        Map<String, PropertyTree> children = new LinkedHashMap<>();
        groups.entrySet().stream()
                .sorted((one, other) ->
                        list ? Integer.compare(Integer.parseInt(one.getKey()), Integer.parseInt(other.getKey())) : 0)
                .forEach(group -> children.put(
                        keys.getOrDefault(group.getKey(), group.getKey()), of(group.getValue(), depth + 1)));
        return new PropertyTree(null, null, list, children);
    }

    boolean isValue() {
        return leaf != null;
    }

    /** The value of a leaf; empty for a list or a map. */
    Object value() {
        return leaf == null ? "" : leaf;
    }
}
