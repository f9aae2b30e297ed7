package dev.sluice.internal.store.redis.connection;

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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the news that the script publishes. Opens its connection when the first listener subscribes. Subscribes to
 * the channel for all instances and to the channel for each listener's instance. After a lost connection, Lettuce
 * renews the subscriptions. This class retries failed attempts to subscribe. Thread-safe; {@code this} guards its
 * state.
 */
public final class RedisNews extends RedisPubSubAdapter<String, String> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    private static final String REFUSED =
            "{} does not let the user subscribe to {}: other instances return unused permits later, so calls "
                    + "near a limit wait longer; see the rights in docs/stores.md. This is logged once";

    /** The characters that the script replaces in instance names. */
    private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}");

    private final RedisAddress address;
    private final RedisClients clients;
    private final Supplier<? extends CompletionStage<?>> exchanges;
    private final Map<String, Consumer<News>> listeners = new ConcurrentHashMap<>();
    private @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> current;
    private boolean ended;

    /**
     * Creates a receiver. It only connects when the first listener subscribes.
     *
     * @param exchanges provides the connection for exchanges. The connection for news is opened after that one
     */
    RedisNews(RedisAddress address, RedisClients clients, Supplier<? extends CompletionStage<?>> exchanges) {
        this.address = address;
        this.clients = clients;
        this.exchanges = exchanges;
    }

    /**
     * The channel for news that affects all instances. Its name contains the database number, because all databases of
     * a Redis server share the same channels.
     */
    public static String channel(RedisAddress address) {
        return address.database() == 0 ? "sluice:!news" : "sluice:!news:" + address.database();
    }

    /** The channel for news that affects only one instance. */
    private String channelOf(String instance) {
        return channel(address) + ":@" + CONTROLS.matcher(instance).replaceAll("?");
    }

    public void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
        subscribe(instance);
    }

    /**
     * Subscribes to the news for an instance. Retries after a failure, because Lettuce rejects new subscriptions while
     * the connection is lost.
     */
    private void subscribe(String instance) {
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> connected = current();
        if (connected == null) {
            connect();
            return;
        }
        CompletableFuture<?> unused = connected
                .thenCompose(connection -> connection.async().subscribe(channelOf(instance)))
                .whenComplete((done, failure) -> {
                    if (failure != null && !RedisFailure.of(failure).isMissingRight()) {
                        clients.afterPause(() -> subscribeAgain(instance));
                    }
                });
    }

    private void subscribeAgain(String instance) {
        if (listeners.containsKey(instance)) {
            subscribe(instance);
        }
    }

    /** Ends the subscription to an instance's news. */
    public void unsubscribe(String instance) {
        listeners.remove(instance);
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> connected = current();
        if (connected != null) {
            CompletableFuture<?> unused =
                    connected.thenCompose(connection -> connection.async().unsubscribe(channelOf(instance)));
        }
    }

    private synchronized @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> current() {
        return current;
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
                connectLater(connecting, RedisFailure.of(failure).isMissingRight());
            }
        });
    }

    private CompletionStage<?> listen(StatefulRedisPubSubConnection<String, String> connection) {
        connection.addListener(this);
        return connection
                .async()
                .subscribe(Stream.concat(
                                Stream.of(channel(address)),
                                listeners.keySet().stream().map(this::channelOf))
                        .toArray(String[]::new));
    }

    private void connectLater(
            CompletableFuture<StatefulRedisPubSubConnection<String, String>> failed, boolean isMissingRight) {
        synchronized (this) {
            if (ended || current != failed) {
                return; // the connection was replaced, and other code closes it
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

    /** Opens a new connection, because the current one might be hanging or its server might no longer be the master. */
    void reconnect() {
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> unusable;
        synchronized (this) {
            unusable = current;
            current = null;
        }
        if (unusable != null) {
            CompletableFuture<?> unused = RedisClients.close(unusable);
            connect();
        }
    }

    /**
     * Parses a message. The message contains one line per kind of news, with the keys separated by spaces, followed by
     * an empty line and the sender's name. That name can be any text.
     */
    @Override
    public void message(String channel, String message) {
        int end = message.indexOf("\n\n");
        if (end < 0) {
            return;
        }
        String sender = message.substring(end + 2);
        message.substring(0, end).lines().forEach(line -> notifyListeners(channel, sender, line.split(" ")));
    }

    private void notifyListeners(String channel, String sender, String[] words) {
        News.Kind kind = kind(words[0]);
        if (kind == null || words.length < 2) {
            return;
        }
        // a key can occur more than once among the frames of several counters
        News news = new News(kind, new HashSet<>(Arrays.asList(words).subList(1, words.length)));
        boolean isForAll = channel.equals(channel(address));
        listeners.forEach((instance, listener) -> {
            if (isForAll ? !instance.equals(sender) : channel.equals(channelOf(instance))) {
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

    /** Stops receiving news. The caller must close the returned connection, if there is one. */
    public synchronized @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> end() {
        ended = true;
        return current;
    }
}
