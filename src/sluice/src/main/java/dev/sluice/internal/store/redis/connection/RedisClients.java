package dev.sluice.internal.store.redis.connection;

import dev.sluice.internal.thread.BackgroundThreads;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Configures Lettuce for use by a store. Commands never wait for a connection. All queues are bounded. Lettuce does not
 * resend commands, and tries to reconnect at least once per second. Thread-safe.
 */
final class RedisClients {

    /**
     * TCP keep-alive, because a network device can drop an idle connection without notifying either side. The
     * connection for news only receives data, so with the defaults of most systems, its loss would go undetected for
     * two hours.
     */
    private static final KeepAliveOptions KEEP_ALIVE = KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(30))
            .interval(Duration.ofSeconds(10))
            .count(3)
            .build();

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);
    /**
     * How long the threads must have been idle before they are stopped, if a connection is still being opened. Netty
     * checks this every 100 ms.
     */
    private static final Duration QUIET = Duration.ofMillis(100);
    /** The maximum time that closing waits for a connection that is still being opened. */
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(15);

    /** The pause between checks of whether a new connection accepts commands. */
    private static final Duration LOOK = Duration.ofMillis(2);

    /** The maximum number of checks of whether a new connection accepts commands. */
    private static final int MOST_LOOKS = 100;

    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(30);
    private static final int MOST_COMMANDS_IN_FLIGHT = 10_000;
    private static final int THREADS = 2;

    private final ClientResources resources;
    private final ReadingThreads reading;
    private final AbstractRedisClient client;
    private final Supplier<CompletionStage<? extends StatefulConnection<String, String>>> connector;
    private final Supplier<CompletionStage<? extends StatefulRedisPubSubConnection<String, String>>> newsConnector;

    private RedisClients(
            ClientResources resources,
            ReadingThreads reading,
            AbstractRedisClient client,
            Supplier<CompletionStage<? extends StatefulConnection<String, String>>> connector,
            Supplier<CompletionStage<? extends StatefulRedisPubSubConnection<String, String>>> newsConnector) {
        this.resources = resources;
        this.reading = reading;
        this.client = client;
        this.connector = connector;
        this.newsConnector = newsConnector;
    }

    public static RedisClients of(RedisAddress address) {
        ReadingThreads reading = new ReadingThreads();
        ClientResources resources = ClientResources.builder()
                .nettyCustomizer(reading)
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .reconnectDelay(Delay.exponential(Duration.ZERO, LONGEST_PAUSE, 2, TimeUnit.MILLISECONDS))
                .build();
        List<RedisURI> uris = address.hosts().stream()
                .map(host -> RedisUris.of(address, host))
                .toList();
        if (address.kind() == RedisAddress.Kind.CLUSTER) {
            RedisClusterClient client = RedisClusterClient.create(resources, uris);
            client.setOptions(clusterOptions(address));
            return new RedisClients(
                    resources,
                    reading,
                    client,
                    () -> connectCluster(client),
                    () -> client.refreshPartitionsAsync()
                            .thenCompose(done -> client.connectPubSubAsync(StringCodec.UTF8)));
        }
        RedisURI uri = address.kind() == RedisAddress.Kind.SENTINEL ? RedisUris.ofSentinels(address) : uris.get(0);
        RedisClient client = RedisClient.create(resources);
        client.setOptions(options(address));
        return new RedisClients(
                resources,
                reading,
                client,
                () -> client.connectAsync(StringCodec.UTF8, uri)
                        .thenCompose(connection -> accepting(connection, resources, MOST_LOOKS)),
                () -> client.connectPubSubAsync(StringCodec.UTF8, uri)
                        .thenCompose(connection -> accepting(connection, resources, MOST_LOOKS)));
    }

    /**
     * Completes with the connection as soon as it accepts commands. After authentication, Lettuce announces a
     * connection on one thread and opens it on another, so the first command could come too early and be rejected. A
     * connection that is closed in the meantime never accepts commands. In this case, the stage completes with the
     * connection after the last check, and the first command fails with the reason.
     */
    private static <C extends StatefulConnection<String, String>> CompletionStage<C> accepting(
            C connection, ClientResources resources, int looks) {
        if (connection.isOpen() || looks == 0) {
            return CompletableFuture.completedFuture(connection);
        }
        CompletableFuture<C> later = new CompletableFuture<>();
        Future<?> unused = resources
                .eventExecutorGroup()
                .schedule(() -> later.complete(connection), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        return later.thenCompose(waited -> accepting(waited, resources, looks - 1));
    }

    /** Opens a connection in the background. */
    CompletableFuture<StatefulConnection<String, String>> connect() {
        return open(connector);
    }

    /** Opens a connection for news in the background. */
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> connectForNews() {
        return open(newsConnector);
    }

    /** Opens a connection. If this fails without a known reason, retries once. */
    private static <C> CompletableFuture<C> open(Supplier<CompletionStage<? extends C>> connector) {
        return openOnce(connector)
                .exceptionallyCompose(failure -> RedisFailure.of(failure).isWithoutReason()
                        ? openOnce(connector)
                        : CompletableFuture.failedFuture(failure));
    }

    private static <C> CompletableFuture<C> openOnce(Supplier<CompletionStage<? extends C>> connector) {
        try {
            return connector.get().<C>thenApply(connection -> connection).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    void behindAnswers(Runnable task) {
        reading.behindAnswers(task);
    }

    /** Runs a task after a pause, unless this object is closed in the meantime. */
    void afterPause(Runnable task) {
        if (!resources.eventExecutorGroup().isShuttingDown()) {
            Future<?> unused =
                    resources.eventExecutorGroup().schedule(task, LONGEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Closes the connections, stops all threads, and waits briefly for this to complete. This can take longer, for
     * example because a connection is being opened on a busy machine. In that case, the threads are stopped later,
     * because Lettuce would log errors if they stopped before the connections were closed.
     *
     * @param connections the connections to close first, including those that are still being opened. Otherwise,
     *     Lettuce would log that these were closed twice
     */
    public void close(List<? extends CompletableFuture<? extends StatefulConnection<String, String>>> connections) {
        Duration quiet = connections.stream().allMatch(RedisClients::isOpen) ? Duration.ZERO : QUIET;
        CompletableFuture<?> closed = CompletableFuture.allOf(
                connections.stream().map(RedisClients::close).toArray(CompletableFuture<?>[]::new));
        Thread end = BackgroundThreads.create("sluice-redis-close", () -> end(closed, quiet));
        end.start();
        try {
            end.join(LONGEST_CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closing continues in the background
        }
    }

    private static boolean isOpen(CompletableFuture<? extends StatefulConnection<String, String>> connection) {
        return connection.isDone()
                && !connection.isCompletedExceptionally()
                && connection.join().isOpen();
    }

    /**
     * @param quiet how long the threads must have been idle before they are stopped. A Lettuce thread that is reopening
     *     a connection could be between two steps, and Netty would log an error if the second step came after the stop
     */
    private void end(CompletableFuture<?> connectionsClosed, Duration quiet) {
        CompletableFuture<?> unused = connectionsClosed
                .completeOnTimeout(null, LONGEST_CONNECT.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(gone -> null);
        unused.join();
        if (client instanceof RedisClusterClient cluster) {
            awaitTopologyRefresh(cluster);
        }
        long millis = LONGEST_PAUSE.toMillis();
        client.shutdown(quiet, LONGEST_PAUSE);
        resources.shutdown(0, millis, TimeUnit.MILLISECONDS).awaitUninterruptibly(millis);
    }

    /**
     * Waits for any topology refresh to finish, because Lettuce would log an error if its threads were stopped during a
     * refresh.
     */
    private static void awaitTopologyRefresh(RedisClusterClient cluster) {
        cluster.suspendTopologyRefresh();
        long deadline = System.nanoTime() + LONGEST_CONNECT.toNanos();
        while (cluster.isTopologyRefreshInProgress() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    /** Closes a connection once it is open. */
    public static CompletableFuture<?> close(
            CompletableFuture<? extends StatefulConnection<String, String>> connection) {
        return connection.thenCompose(StatefulConnection::closeAsync).exceptionally(gone -> null);
    }

    /**
     * Reads the topology and connects to each master, because Lettuce rejects commands to nodes to which it has no
     * connection.
     */
    private static CompletionStage<StatefulRedisClusterConnection<String, String>> connectCluster(
            RedisClusterClient client) {
        return client.refreshPartitionsAsync()
                .thenCompose(done -> client.connectAsync(StringCodec.UTF8))
                .thenCompose(connection -> connectMasters(connection).handle((done, failure) -> connection));
    }

    private static CompletableFuture<Void> connectMasters(StatefulRedisClusterConnection<String, String> connection) {
        return CompletableFuture.allOf(connection.getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
                .map(RedisClusterNode::getUri)
                .map(uri -> connection.getConnectionAsync(uri.getHost(), uri.getPort()))
                .toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Adds keep-alive options only on systems known to support them. On other systems, Lettuce would refuse to connect.
     */
    private static SocketOptions.Builder keptAlive(SocketOptions.Builder options) {
        boolean isLinux = System.getProperty("os.name", "").startsWith("Linux");
        return isLinux && ModuleLayer.boot().findModule("jdk.net").isPresent()
                ? options.keepAlive(KEEP_ALIVE)
                : options.keepAlive(true);
    }

    private static ClientOptions options(RedisAddress address) {
        ClientOptions.Builder options = ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MOST_COMMANDS_IN_FLIGHT)
                .timeoutOptions(TimeoutOptions.enabled(address.options().timeout()))
                .socketOptions(keptAlive(SocketOptions.builder())
                        .connectTimeout(address.handshake())
                        .tcpNoDelay(true)
                        .build())
                .sslOptions(ssl(address.options()));
        if (LettuceOnClassPath.has("io.lettuce.core.MaintNotificationsConfig")) {
            MaintenanceNotifications.disable(options);
        }
        return options.build();
    }

    /**
     * Turns off maintenance notifications, which Lettuce has requested by default since version 7.0. This code is in a
     * separate class so that it is not loaded if Lettuce is older.
     */
    private static final class MaintenanceNotifications {
        static void disable(ClientOptions.Builder options) {
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }

    private static ClusterClientOptions clusterOptions(RedisAddress address) {
        return ClusterClientOptions.builder(options(address))
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(LONGEST_PAUSE)
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .build())
                .build();
    }

    private static SslOptions ssl(RedisAddress.Options options) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
        if (options.ca() != null) {
            ssl.trustManager(new File(options.ca()));
        }
        if (options.cert() != null && options.key() != null) {
            ssl.keyManager(new File(options.cert()), new File(options.key()), new char[0]);
        }
        return ssl.build();
    }
}
