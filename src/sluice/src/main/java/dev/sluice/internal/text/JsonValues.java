package dev.sluice.internal.text;

import dev.sluice.CounterKey;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Converts records to maps and lists that any JSON library can write. Components keep their names and their order, and
 * {@code null} components are omitted. All JSON for users is prepared by this class, so values look the same
 * everywhere. An enum constant appears as its word, a counter as its key, and a time in UTC.
 */
public final class JsonValues {

    /** The accessors of a record's components. They are made accessible because the page's records are not public. */
    private static final ClassValue<List<Method>> ACCESSORS = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            List<Method> accessors = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getAccessor)
                    .toList();
            accessors.forEach(accessor -> accessor.setAccessible(true));
            return accessors;
        }
    };

    private JsonValues() {}

    /** Converts a single value. Strings, numbers, booleans and arrays of numbers remain unchanged. */
    public static Object of(Object value) {
        if (value instanceof CounterKey key) {
            return key.text();
        }
        if (value instanceof Enum<?> constant) {
            return EnumWord.of(constant);
        }
        if (value instanceof Instant time) {
            return time.toString();
        }
        if (value instanceof Record object) {
            return members(object);
        }
        if (value instanceof Map<?, ?> members) {
            Map<String, Object> values = new LinkedHashMap<>();
            members.forEach((name, member) -> values.put(String.valueOf(name), of(member)));
            return values;
        }
        return value instanceof List<?> elements
                ? elements.stream().map(JsonValues::of).toList()
                : value;
    }

    private static Map<String, Object> members(Record object) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (Method accessor : ACCESSORS.get(object.getClass())) {
            try {
                Object member = accessor.invoke(object);
                if (member != null) {
                    members.put(accessor.getName(), of(member));
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a record cannot be read", e);
            }
        }
        return members;
    }
}
