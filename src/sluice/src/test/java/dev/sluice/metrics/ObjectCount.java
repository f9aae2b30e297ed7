package dev.sluice.metrics;

import com.github.benmanes.caffeine.cache.Cache;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** How many objects can be reached from one, through types of Sluice, arrays, collections and maps. */
final class ObjectCount {

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> left = new ArrayDeque<>();

    private ObjectCount() {}

    static int of(Object root) throws IllegalAccessException {
        ObjectCount count = new ObjectCount();
        count.add(root);
        while (!count.left.isEmpty()) {
            count.look(count.left.pop());
        }
        return count.seen.size();
    }

    private void add(@Nullable Object found) {
        if (found != null && seen.add(found)) {
            left.push(found);
        }
    }

    private void look(Object at) throws IllegalAccessException {
        if (at instanceof Cache<?, ?> cache) {
            add(cache.asMap());
        } else if (at instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                add(key);
                add(value);
            });
        } else if (at instanceof Collection<?> collection) {
            collection.forEach(this::add);
        } else if (at instanceof AtomicReferenceArray<?> array) {
            for (int i = 0; i < array.length(); i++) {
                add(array.get(i));
            }
        } else if (at instanceof Object[] array) {
            for (Object element : array) {
                add(element);
            }
        } else if (!(at instanceof Enum) && at.getClass().getName().startsWith("dev.sluice.")) {
            lookAtFields(at);
        }
    }

    private void lookAtFields(Object at) throws IllegalAccessException {
        for (Class<?> type = at.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    add(field.get(at));
                }
            }
        }
    }
}
