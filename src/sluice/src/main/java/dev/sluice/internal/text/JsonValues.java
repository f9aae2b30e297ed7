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
 * Turns records into maps and lists that any JSON library can write. Components keep their names and their order, and
 * those that are {@code null} are left out. All JSON for users is made here, so that a value looks the same everywhere:
 * an enum constant as its word, a counter as its key, and a time in UTC.
 */
public final class JsonValues {

    /** The accessors of a record's components; those of the page are not public. */
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

    /** The same for one value. Texts, numbers, booleans and arrays of numbers stay as they are. */
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
