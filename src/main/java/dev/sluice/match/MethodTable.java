package dev.sluice.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The definitions that end at one place of the trie, by method. Lists are made at load, so that looking one up makes none.
 *
 * @param <T> what stands for a definition and method
 */
final class MethodTable<T> {

    static final String ALL = "*";

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of nothing
    private static final MethodTable<?> EMPTY = new MethodTable<>(new List[0]);

    /** By the method's number; the first is for methods that no definition names. */
    private final List<T>[] byMethod;

    private MethodTable(List<T>[] byMethod) {
        this.byMethod = byMethod;
    }

    /** From one map a definition: method, or {@link #ALL}, to what stands for it. */
    @SuppressWarnings({"unchecked", "rawtypes"
    }) // an empty table holds no T, and there is no other way to make an array of lists
    static <T> MethodTable<T> of(List<Map<String, T>> definitions, Numbers methods) {
        if (definitions.isEmpty()) {
            return (MethodTable<T>) EMPTY;
        }
        List<List<T>> byMethod = new ArrayList<>();
        byMethod.add(speakingOf(ALL, definitions));
        methods.names().forEach(method -> byMethod.add(speakingOf(method, definitions)));
        return new MethodTable<>(byMethod.toArray(List[]::new));
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

    boolean isEmpty() {
        return byMethod.length == 0;
    }

    /** What is here for the method of that number, after what was found before; a new list only if both hold something new. */
    List<T> addTo(List<T> before, int method) {
        if (isEmpty()) {
            return before;
        }
        List<T> here = byMethod[method];
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

    /** The numbers, from 1, of all methods that any definition of a table names; 0 is every other method's. They are few. */
    static final class Numbers {

        private String[] names = {};

        void add(String method) {
            if (!method.equals(ALL) && of(method) == 0) {
                names = Arrays.copyOf(names, names.length + 1);
                names[names.length - 1] = method;
            }
        }

        private List<String> names() {
            return List.of(names);
        }

        int of(String method) {
            for (int i = 0; i < names.length; i++) {
                if (names[i].equals(method)) {
                    return i + 1;
                }
            }
            return 0;
        }
    }
}
