package dev.sluice.store.redis.link;

import dev.sluice.exchange.CounterStore.News;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the script publishes for other instances: one subscription, opened with the first listener. Lettuce subscribes
 * again when a connection was lost; a first attempt that failed is repeated here. Safe for many threads; state is
 * guarded by {@code this}.
 */
public final class RedisNews extends RedisPubSubAdapter<String, String> {

    private static final Logger LOG = LoggerFactory.getLogger(RedisNews.class);

    private static final String REFUSED =
            "{} does not let the user subscribe to {}: permits that other instances hold unspent come back later than they "
                    + "could, so calls near a limit wait longer; see the rights in docs/stores.md (said once)";

    private final RedisAddress address;
    private final RedisClients clients;
    private final Supplier<? extends CompletionStage<?>> exchanges;
    private final Map<String, Consumer<News>> listeners = new ConcurrentHashMap<>();
    private @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> current;
    private boolean ended;

    /**
     * News of one Redis.
     *
     * @param exchanges the connection for exchanges: while there is none, none for news is tried
     */
    RedisNews(RedisAddress address, RedisClients clients, Supplier<? extends CompletionStage<?>> exchanges) {
        this.address = address;
        this.clients = clients;
        this.exchanges = exchanges;
    }

    /** Where the script publishes. Channels are common to all databases of a Redis, so each has its own. */
    public static String channel(RedisAddress address) {
        return address.database() == 0 ? "sluice:!news" : "sluice:!news:" + address.database();
    }

    public void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
        connect();
    }

    private void connect() {
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> connecting;
        synchronized (this) {
            if (ended || current != null) {
                return;
            }
            connecting = exchanges
                    .get()
                    .thenCompose(connected -> clients.connectForNews())
                    .toCompletableFuture();
            current = connecting;
        }
        CompletableFuture<?> unused = connecting.thenCompose(this::listen).whenComplete((done, failure) -> {
            if (failure != null) {
                connectLater(connecting, RedisTrouble.of(failure).isMissingRight());
            }
        });
    }

    private CompletionStage<?> listen(StatefulRedisPubSubConnection<String, String> connection) {
        connection.addListener(this);
        return connection.async().subscribe(channel(address));
    }

    private void connectLater(
            CompletableFuture<StatefulRedisPubSubConnection<String, String>> failed, boolean isMissingRight) {
        synchronized (this) {
            if (ended || current != failed) {
                return; // Who has let go of it closes it.
            }
            current = null;
            ended = isMissingRight;
        }
        CompletableFuture<?> unused = RedisClients.close(failed);
        if (isMissingRight) {
            LOG.warn(REFUSED, address, channel(address));
        } else {
            clients.afterPause(this::connect);
        }
    }

    /** Opens another connection: this one may hang, too, or lead to what is no master any more. */
    void reconnect() {
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> useless;
        synchronized (this) {
            useless = current;
            current = null;
        }
        if (useless != null) {
            CompletableFuture<?> unused = RedisClients.close(useless);
            connect();
        }
    }

    /**
     * A message has a line for each kind of news, with the keys, parted by blanks; an empty line; and the sender, which
     * may be any text.
     */
    @Override
    public void message(String channel, String message) {
        int end = message.indexOf("\n\n");
        if (end < 0) {
            return;
        }
        String sender = message.substring(end + 2);
        message.substring(0, end).lines().forEach(line -> tell(sender, line.split(" ")));
    }

    private void tell(String sender, String[] words) {
        News.Kind kind = kind(words[0]);
        if (kind == null || words.length < 2) {
            return;
        }
        // Frames of several counters may name one key twice.
        News news = new News(kind, new HashSet<>(Arrays.asList(words).subList(1, words.length)));
        listeners.forEach((instance, listener) -> {
            if (!instance.equals(sender)) {
                listener.accept(news);
            }
        });
    }

    private static News.@Nullable Kind kind(String word) {
        for (News.Kind kind : News.Kind.values()) {
            if (kind.name().equals(word)) {
                return kind;
            }
        }
        return null;
    }

    /** Subscribes no more. The connection, if there is one, is to be closed. */
    public synchronized @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> end() {
        ended = true;
        return current;
    }
}
