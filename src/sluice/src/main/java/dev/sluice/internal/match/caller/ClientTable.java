package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.internal.match.glob.ValueTable;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client that matches a call. The table is a trie with one level for each subject, so the duration of a
 * search does not depend on the number of clients. If several clients match, a search returns the client that was added
 * first. If a subject is secret, a client's value can be a hash, which matches the caller with that key. If a subject
 * is an address, the value can be a network. Immutable.
 *
 * @param <T> the type of the value stored for a client
 */
public final class ClientTable<T> {

    private final List<List<SubjectSource>> chains;
    private final boolean byKey;
    private final TrieNode<T> root;

    private ClientTable(List<List<SubjectSource>> chains, boolean byKey, TrieNode<T> root) {
        this.chains = chains;
        this.byKey = byKey;
        this.root = root;
    }

    /**
     * Returns a table for calls to these paths. The sources of that table can read the path variables of the patterns.
     * If no source reads a path variable, returns this table.
     */
    public ClientTable<T> bind(EndpointPaths paths) {
        List<List<SubjectSource>> bound = chains.stream()
                .map(chain -> chain.stream()
                        .map(source -> SubjectSources.bind(source, paths))
                        .toList())
                .toList();
        return bound.equals(chains) ? this : new ClientTable<>(bound, byKey, root);
    }

    /** Returns the value that is stored for the caller's client; {@code null} if no client matches. */
    public @Nullable T find(Call call) {
        Search search = new Search(call);
        search.look(root, 0);
        return search.found;
    }

    /**
     * A node of the trie. It contains the clients that require no further subject, and one branch for each value of the
     * next subject.
     */
    private record TrieNode<T>(
            int first,
            @Nullable T here,
            @Nullable ValueTable<TrieNode<T>> byValue,
            @Nullable AddressTable<TrieNode<T>> byNetwork,
            Map<String, TrieNode<T>> byHash,
            @Nullable TrieNode<T> unasked) {}

    /** One search. It resolves each subject at most once, and only if the subject is needed. */
    private final class Search {

        private final Call call;
        private final @Nullable String[] values = new String[chains.size()];
        private int first = Integer.MAX_VALUE;
        private @Nullable T found;

        Search(Call call) {
            this.call = call;
        }

        void look(TrieNode<T> node, int level) {
            if (node.first >= first) {
                return;
            }
            if (level == values.length) {
                first = node.first;
                found = node.here;
                return;
            }
            if (node.byValue != null) {
                String value = value(level);
                if (!value.isEmpty()) {
                    node.byValue.find(value, next -> look(next, level + 1));
                }
            }
            if (node.byNetwork != null) {
                node.byNetwork.find(value(level), next -> look(next, level + 1));
            }
            if (!node.byHash.isEmpty()) {
                TrieNode<T> hashed = node.byHash.get(SubjectSources.resolveKey(chains.get(level), call));
                if (hashed != null) {
                    look(hashed, level + 1);
                }
            }
            if (node.unasked != null) {
                look(node.unasked, level + 1);
            }
        }

        private String value(int level) {
            String value = values[level];
            if (value == null) {
                List<SubjectSource> chain = chains.get(level);
                value = byKey ? SubjectSources.resolveKey(chain, call) : SubjectSources.resolve(chain, call);
                values[level] = value;
            }
            return value;
        }
    }

    /**
     * Builds a table.
     *
     * @param <T> the type of the value stored for a client
     */
    public static final class Builder<T> {

        private final Map<String, List<SubjectSource>> subjects;
        private final boolean byKey;
        private final Draft<T> root = new Draft<>();
        private int clients;

        /**
         * Starts an empty table.
         *
         * @param subjects the subjects that can identify clients, each with its sources
         * @param byKey whether clients are identified by callers' keys. The key of a secret is a hash
         */
        public Builder(Map<String, List<SubjectSource>> subjects, boolean byKey) {
            this.byKey = byKey;
            this.subjects = new LinkedHashMap<>(subjects);
            this.subjects.replaceAll((name, chain) -> SubjectSources.identifying(chain));
        }

        /** Adds a client. Clients that were added earlier take precedence over it. */
        public Builder<T> add(Map<String, List<String>> who, T value) {
            List<Draft<T>> drafts = List.of(root);
            for (Map.Entry<String, List<SubjectSource>> subject : subjects.entrySet()) {
                boolean mayBeHashed = !byKey && subject.getValue().stream().anyMatch(SubjectSource::isSecret);
                boolean areAddresses = !byKey && SubjectSources.areAddresses(subject.getValue());
                List<Draft<T>> next = new ArrayList<>();
                for (Draft<T> draft : drafts) {
                    draft.next(who.get(subject.getKey()), mayBeHashed, areAddresses, next);
                }
                drafts = next;
            }
            for (Draft<T> draft : drafts) {
                draft.put(clients, value);
            }
            clients++;
            return this;
        }

        public ClientTable<T> build() {
            return new ClientTable<>(List.copyOf(subjects.values()), byKey, root.compile());
        }
    }

    /** A node under construction. */
    private static final class Draft<T> {

        private final Map<String, Draft<T>> byValue = new LinkedHashMap<>();
        private final Map<String, Draft<T>> byHash = new LinkedHashMap<>();
        private final Map<AddressRange, Draft<T>> byNetwork = new LinkedHashMap<>();
        private @Nullable Draft<T> unasked;
        private int first = Integer.MAX_VALUE;
        private @Nullable T here;

        void next(@Nullable List<String> values, boolean mayBeHashed, boolean areAddresses, List<Draft<T>> next) {
            if (values != null) {
                for (String value : values) {
                    AddressRange network = areAddresses ? AddressRange.networkIn(value) : null;
                    next.add(
                            network != null
                                    ? byNetwork.computeIfAbsent(network, missing -> new Draft<>())
                                    : (mayBeHashed && SecretDigest.isHash(value) ? byHash : byValue)
                                            .computeIfAbsent(value, missing -> new Draft<>()));
                }
                return;
            }
            Draft<T> on = unasked == null ? new Draft<>() : unasked;
            unasked = on;
            next.add(on);
        }

        void put(int number, T value) {
            if (number < first) {
                first = number;
                here = value;
            }
        }

        TrieNode<T> compile() {
            Map<String, TrieNode<T>> values = compile(byValue);
            Map<String, TrieNode<T>> hashes = compile(byHash);
            Map<AddressRange, TrieNode<T>> networks = compile(byNetwork);
            TrieNode<T> others = unasked == null ? null : unasked.compile();
            int least = Stream.of(values.values(), hashes.values(), networks.values())
                    .flatMap(Collection::stream)
                    .mapToInt(TrieNode::first)
                    .reduce(others == null ? first : Math.min(first, others.first), Math::min);
            return new TrieNode<>(
                    least,
                    here,
                    values.isEmpty() ? null : new ValueTable<>(values),
                    AddressTable.of(networks),
                    hashes,
                    others);
        }

        private static <K, T> Map<K, TrieNode<T>> compile(Map<K, Draft<T>> drafts) {
            Map<K, TrieNode<T>> compiled = new LinkedHashMap<>();
            drafts.forEach((text, draft) -> compiled.put(text, draft.compile()));
            return compiled;
        }
    }
}
