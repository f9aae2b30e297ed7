package dev.sluice.store.cell;

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

/** Collects what one exchange means for other instances. Not safe for several threads. */
public final class ExchangeNews {

    /** A limit that is used up would be asked for in vain by about so many instances for each of its permits. */
    private static final long WORTH_TELLING = 4;

    private final int instances;

    /** For a batch whose sender knows of so many instances. */
    public ExchangeNews(int instances) {
        this.instances = instances;
    }

    /** Whether it concerns all instances that a limit of this size is used up: many of them would soon ask for it. */
    boolean isForAll(long cap) {
        return cap * WORTH_TELLING >= instances;
    }

    /** By the name of an instance; {@code null} for what concerns all. */
    private final Map<@Nullable String, Map<News.Kind, Set<String>>> told = new LinkedHashMap<>();

    /**
     * News for one instance, or for all but the sender.
     *
     * @param instance whom they concern; {@code null} for all
     */
    public record Told(@Nullable String instance, News news) {

        /** Whether an instance is to hear it. */
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

    /** The news, at most one of each kind for an instance; empty if there is none. */
    public List<Told> all() {
        List<Told> all = new ArrayList<>();
        told.forEach((instance, kinds) ->
                kinds.forEach((kind, keys) -> all.add(new Told(instance, new News(kind, keys)))));
        return all;
    }
}
