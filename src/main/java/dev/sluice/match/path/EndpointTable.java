package dev.sluice.match.path;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All enabled definitions, compiled into a {@link Trie} for each method that any of them names, and one for all other
 * methods. So what is found needs no second look at whether it speaks of the method. Immutable; finding a single
 * definition allocates nothing.
 *
 * @param <T> what stands for a definition and method, or for several
 */
public final class EndpointTable<T> {

    private final Map<String, Trie<T>> byMethod;
    private final Trie<T> ofOthers;
    private final boolean readsPaths;

    private EndpointTable(Map<String, Trie<T>> byMethod, Trie<T> ofOthers) {
        this.byMethod = byMethod;
        this.ofOthers = ofOthers;
        this.readsPaths = ofOthers.readsPaths() || byMethod.values().stream().anyMatch(Trie::readsPaths);
    }

    /** Whether it matters what a call's path is; if not, any will do, and the call need not be asked for it. */
    public boolean readsPaths() {
        return readsPaths;
    }

    /** What stands for all definitions that speak of this method and path; {@code null} if none does. */
    public @Nullable T match(String method, String rawPath) {
        return byMethod.getOrDefault(method, ofOthers).match(rawPath);
    }

    /**
     * Collects definitions for a table.
     *
     * @param <T> what stands for a definition and method, or for several
     */
    public static final class Builder<T> {

        private static final String ALL = "*";

        private final List<Entry<T>> entries = new ArrayList<>();
        private final boolean ignoreCase;
        private final BinaryOperator<T> both;

        /**
         * Begins a table.
         *
         * @param both makes of what stands for some definitions, and what stands for others, some of which may be the
         *     same, what stands for all of them
         */
        public Builder(boolean caseSensitive, BinaryOperator<T> both) {
            this.ignoreCase = !caseSensitive;
            this.both = both;
        }

        /** A definition: its pattern, and what stands for it by method. */
        private record Entry<T>(PathPattern pattern, Map<String, T> byMethod) {

            @Nullable T of(String method) {
                T forAll = byMethod.get(ALL);
                return forAll != null ? forAll : byMethod.get(method);
            }
        }

        /**
         * Adds a definition.
         *
         * @param methods those it speaks of, empty for all
         * @param standIn what stands for it under a method, {@code *} for all methods; asked once for each
         */
        public Builder<T> add(PathPattern pattern, Set<String> methods, Function<String, T> standIn) {
            entries.add(new Entry<>(pattern, standIns(methods, standIn)));
            return this;
        }

        /** Every method that a definition names, and what stands for it; whoever counts GET counts HEAD with it. */
        private static <T> Map<String, T> standIns(Set<String> methods, Function<String, T> standIn) {
            if (methods.isEmpty()) {
                return Map.of(ALL, standIn.apply(ALL));
            }
            Map<String, T> byMethod = new LinkedHashMap<>();
            for (String method : methods) {
                byMethod.put(method, standIn.apply(method));
            }
            T get = byMethod.get("GET");
            if (get != null) {
                byMethod.putIfAbsent("HEAD", get);
            }
            return byMethod;
        }

        public EndpointTable<T> build() {
            Set<String> named = new LinkedHashSet<>();
            entries.forEach(entry -> named.addAll(entry.byMethod.keySet()));
            named.remove(ALL);
            Map<List<@Nullable T>, Trie<T>> known = new HashMap<>();
            Map<String, Trie<T>> byMethod = new HashMap<>();
            named.forEach(method -> byMethod.put(method, trie(method, known)));
            return new EndpointTable<>(byMethod, trie(ALL, known));
        }

        /** Methods of which the same definitions speak have one trie, as GET and HEAD nearly always. */
        private Trie<T> trie(String method, Map<List<@Nullable T>, Trie<T>> known) {
            List<@Nullable T> standIns = new ArrayList<>();
            entries.forEach(entry -> standIns.add(entry.of(method)));
            return known.computeIfAbsent(standIns, missing -> plant(method));
        }

        private Trie<T> plant(String method) {
            Trie.Draft<T> draft = new Trie.Draft<>(ignoreCase, both);
            for (Entry<T> entry : entries) {
                T standIn = entry.of(method);
                if (standIn != null) {
                    draft.add(entry.pattern, standIn);
                }
            }
            return draft.compile();
        }
    }
}
