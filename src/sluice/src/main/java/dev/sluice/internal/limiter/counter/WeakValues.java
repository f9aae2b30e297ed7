package dev.sluice.internal.limiter.counter;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** One value for each key, for as long as anything else refers to that value. Thread-safe. */
final class WeakValues<K, V> {

    private final Map<K, WeakReference<V>> values = new HashMap<>();
    private final ReferenceQueue<V> unreachable = new ReferenceQueue<>();

    /** The value of this key, which is made if there is none. */
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

    /** How many values are known, including those that were found to be unreachable since the last call. */
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
