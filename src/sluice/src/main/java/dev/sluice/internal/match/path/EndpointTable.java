package dev.sluice.internal.match.path;

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
 * All enabled endpoints, compiled into tries. Each method that an endpoint names has its own {@link Trie}. All other
 * methods share one trie. A search therefore does not need to check the method again. Immutable. Finding a single
 * endpoint allocates no memory.
 *
 * @param <T> the type of the value that represents a set of endpoints for a method
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

    /** Whether the result depends on a call's path. If it does not, callers can pass any path. */
    public boolean readsPaths() {
        return readsPaths;
    }

    /**
     * Returns the combined value of all endpoints that apply to this method and path; {@code null} if no endpoint
     * applies.
     */
    public @Nullable T match(String method, String rawPath) {
        return byMethod.getOrDefault(method, ofOthers).match(rawPath);
    }

    /**
     * Returns the combined value for one reading of a path, such as a reading from {@link CallReading#welcomeFiles}.
     */
    public @Nullable T matchReading(String method, String reading) {
        return byMethod.getOrDefault(method, ofOthers).matchReading(reading);
    }

    /**
     * Builds a table.
     *
     * @param <T> the type of the value that represents a set of endpoints for a method
     */
    public static final class Builder<T> {

        private static final String ALL = "*";

        private final List<Entry<T>> entries = new ArrayList<>();
        private final boolean ignoreCase;
        private final BinaryOperator<T> both;

        /**
         * Starts an empty table.
         *
         * @param both a function that combines the values of two sets of endpoints. The sets can overlap
         */
        public Builder(boolean caseSensitive, BinaryOperator<T> both) {
            this.ignoreCase = !caseSensitive;
            this.both = both;
        }

        /** An endpoint, with its patterns and its values by method. */
        private record Entry<T>(List<PathPattern> patterns, Map<String, T> byMethod) {

            @Nullable T of(String method) {
                T forAll = byMethod.get(ALL);
                return forAll != null ? forAll : byMethod.get(method);
            }
        }

        /**
         * Adds an endpoint.
         *
         * @param patterns the patterns. The endpoint applies to a path that matches any of them
         * @param methods the methods to which the endpoint applies; empty for all methods
         * @param valueOf a function that creates the endpoint's value for a method. {@code *} stands for all methods.
         *     The function is called once per method
         */
        public Builder<T> add(List<PathPattern> patterns, Set<String> methods, Function<String, T> valueOf) {
            entries.add(new Entry<>(patterns, valuesByMethod(methods, valueOf)));
            return this;
        }

        /** Returns the value of an endpoint for each method that it names. GET includes HEAD. */
        private static <T> Map<String, T> valuesByMethod(Set<String> methods, Function<String, T> valueOf) {
            if (methods.isEmpty()) {
                return Map.of(ALL, valueOf.apply(ALL));
            }
            Map<String, T> byMethod = new LinkedHashMap<>();
            for (String method : methods) {
                byMethod.put(method, valueOf.apply(method));
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

        /**
         * Creates the trie of a method. Methods with the same endpoints share a trie. GET and HEAD nearly always do.
         */
        private Trie<T> trie(String method, Map<List<@Nullable T>, Trie<T>> known) {
            List<@Nullable T> values = new ArrayList<>();
            entries.forEach(entry -> values.add(entry.of(method)));
            return known.computeIfAbsent(values, missing -> newTrie(method));
        }

        private Trie<T> newTrie(String method) {
            Trie.Draft<T> draft = new Trie.Draft<>(ignoreCase, both);
            for (Entry<T> entry : entries) {
                T value = entry.of(method);
                if (value != null) {
                    entry.patterns.forEach(pattern -> draft.add(pattern, value));
                }
            }
            return draft.compile();
        }
    }
}
