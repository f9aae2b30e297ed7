package dev.sluice.cell;

import dev.sluice.CounterKey;
import dev.sluice.exchange.CounterStore.News;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the news that one exchange causes for other instances. A store creates one {@code ExchangeNews} for each
 * batch and passes it to {@link Cell#apply}. The store then sends the {@link #all collected news} to the
 * {@link Told#concerns affected} instances. Not thread-safe.
 */
public final class ExchangeNews {

    /** The news, by instance name. The {@code null} key stands for all instances except the sender. */
    private final Map<@Nullable String, Map<News.Kind, Set<String>>> told = new LinkedHashMap<>();

    /**
     * News for one instance, or for all instances except the sender.
     *
     * @param instance the instance to notify; {@code null} for all instances except the sender
     */
    public record Told(@Nullable String instance, News news) {

        /** Whether the store has to notify {@code listener} after {@code sender} has sent its batch. */
        public boolean concerns(String listener, String sender) {
            return instance == null ? !listener.equals(sender) : listener.equals(instance);
        }
    }

    /** Adds news for one instance. */
    void to(String instance, News.Kind kind, CounterKey key) {
        add(instance, kind, key);
    }

    /** Adds news for all instances. */
    void toAll(News.Kind kind, CounterKey key) {
        add(null, kind, key);
    }

    private void add(@Nullable String instance, News.Kind kind, CounterKey key) {
        told.computeIfAbsent(instance, any -> new EnumMap<>(News.Kind.class))
                .computeIfAbsent(kind, any -> new HashSet<>())
                .add(key.text());
    }

    /** The collected news, at most one message of each kind per instance; possibly empty. */
    public List<Told> all() {
        List<Told> all = new ArrayList<>();
        told.forEach((instance, kinds) ->
                kinds.forEach((kind, keys) -> all.add(new Told(instance, new News(kind, keys)))));
        return all;
    }
}
