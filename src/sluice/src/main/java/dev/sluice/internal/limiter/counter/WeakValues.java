package dev.sluice.internal.limiter.counter;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** A map with one value for each key. It retains a value only as long as other objects refer to it. Thread-safe. */
final class WeakValues<K, V> {

    private final Map<K, WeakReference<V>> values = new HashMap<>();
    private final ReferenceQueue<V> unreachable = new ReferenceQueue<>();

    /** Returns the value for the given key. Creates the value if there is none. */
    synchronized V get(K key, Function<K, V> make) {
        removeUnreachable();
        WeakReference<V> known = values.get(key);
        V value = known == null ? null : known.get();
        if (value == null) {
            value = make.apply(key);
            values.put(key, new WeakReference<>(value, unreachable));
        }
        return value;
    }

    /** Returns the number of values, including those that became unreachable after the last {@link #get}. */
    synchronized int size() {
        return values.size();
    }

    private void removeUnreachable() {
        boolean any = false;
        while (unreachable.poll() != null) {
            any = true;
        }
        if (any) {
            values.values().removeIf(value -> value.refersTo(null));
        }
    }
}
