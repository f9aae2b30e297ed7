package dev.sluice.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The definitions that end at one place of the trie, by method. Lists are made at load, so that looking one up makes none.
 *
 * @param <T> what stands for a definition and method
 */
final class MethodTable<T> {

    static final String ALL = "*";

    private static final MethodTable<?> EMPTY = new MethodTable<>(List.of());

    /** By the method's number; the first is for methods that no definition names. */
    private final List<List<T>> byMethod;

    private MethodTable(List<List<T>> byMethod) {
        this.byMethod = byMethod;
    }

    /** From one map a definition: method, or {@link #ALL}, to what stands for it. */
    @SuppressWarnings("unchecked") // an empty table holds no T
    static <T> MethodTable<T> of(List<Map<String, T>> definitions, Numbers methods) {
        if (definitions.isEmpty()) {
            return (MethodTable<T>) EMPTY;
        }
        List<List<T>> byMethod = new ArrayList<>();
        byMethod.add(speakingOf(ALL, definitions));
        methods.names().forEach(method -> byMethod.add(speakingOf(method, definitions)));
        return new MethodTable<>(List.copyOf(byMethod));
    }

    private static <T> List<T> speakingOf(String method, List<Map<String, T>> definitions) {
        List<T> found = new ArrayList<>();
        for (Map<String, T> definition : definitions) {
            T standIn = definition.containsKey(ALL) ? definition.get(ALL) : definition.get(method);
            if (standIn != null) {
                found.add(standIn);
            }
        }
        return List.copyOf(found);
    }

    /** What is here for the method of that number, after what was found before; a new list only if both hold something new. */
    List<T> addTo(List<T> before, int method) {
        if (byMethod.isEmpty()) {
            return before;
        }
        List<T> here = byMethod.get(method);
        if (here.isEmpty()) {
            return before;
        }
        if (before.isEmpty()) {
            return here;
        }
        List<T> both = new ArrayList<>(before);
        for (T one : here) {
            if (!both.contains(one)) {
                both.add(one);
            }
        }
        return both;
    }

    /** The numbers, from 1, of all methods that any definition of a table names; 0 is every other method's. */
    static final class Numbers {

        private final List<String> names = new ArrayList<>();
        private final Map<String, Integer> numbers = new HashMap<>();

        void add(String method) {
            if (!method.equals(ALL) && !numbers.containsKey(method)) {
                names.add(method);
                numbers.put(method, names.size());
            }
        }

        private List<String> names() {
            return names;
        }

        int of(String method) {
            return numbers.getOrDefault(method, 0);
        }
    }
}
