package dev.sluice.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The numbers, from 1, of all methods that any definition of a table names; 0 is every other method's. They are few. At each place of the trie
 * stands an array of lists, by these numbers, of what is there; it is made at load, so that a look-up makes
 * none unless it finds several.
 */
final class Methods {

    static final String ALL = "*";

    @SuppressWarnings("rawtypes") // of nothing
    private static final List[] NOTHING = {};

    private String[] names = {};

    void add(String method) {
        if (!method.equals(ALL) && numberOf(method) == 0) {
            names = Arrays.copyOf(names, names.length + 1);
            names[names.length - 1] = method;
        }
    }

    int numberOf(String method) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(method)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** From one map a definition: method, or {@link #ALL}, to what stands for it. Where there are none, the array is empty too. */
    @SuppressWarnings("unchecked") // there is no other way to make an array of lists
    <T> List<T>[] lists(List<Map<String, T>> definitions) {
        if (definitions.isEmpty()) {
            return NOTHING;
        }
        List<List<T>> lists = new ArrayList<>();
        lists.add(speakingOf(ALL, definitions));
        for (String method : names) {
            lists.add(speakingOf(method, definitions));
        }
        return lists.toArray(NOTHING);
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

    /** What is in the list for the method of that number, after what was found before; a new list only if both hold something new. */
    static <T> List<T> addTo(List<T> before, List<T>[] lists, int method) {
        if (lists.length == 0) {
            return before;
        }
        List<T> here = lists[method];
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
}
