package dev.sluice.internal.store.redis.script;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import dev.sluice.internal.store.redis.connection.RedisFailure;
import dev.sluice.internal.store.redis.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A store for simulated fleets: the script of the product in a real Redis, for which it is as late as the simulation
 * says. It answers at once, and so do the news. Not thread-safe.
 */
public final class ScriptInVirtualTime implements CounterStore {

    private static final String CHANNEL = "news";
    private static final String NOW = "virtual:now";
    private static final String TOLD = "virtual:told";

    private static final String TIMED = """
            local real = redis
            local redis = {
              replicate_commands = real.replicate_commands,
              error_reply = real.error_reply,
              sha1hex = real.sha1hex,
              call = function(command, ...)
                if command == 'TIME' then
                  local millis = tonumber(real.call('GET', '%s'))
                  return { math.floor(millis / 1000), millis %% 1000 * 1000 }
                end
                return real.call(command, ...)
              end,
              pcall = function(command, ...)
                if command == 'PUBLISH' then
                  return real.call('RPUSH', '%s', ...)
                end
                return real.pcall(command, ...)
              end
            }
            """.formatted(NOW, TOLD) + ExchangeScript.TEXT;

    private final ExchangeScript script = new ExchangeScript(TimeToLive.USUAL, CHANNEL);
    private final Connection connection;
    private final LongSupplier nowMillis;
    private final AnsweredBatches answered;
    private final Map<String, Consumer<News>> listeners = new LinkedHashMap<>();

    /** A connection to one Redis, for many fleets. */
    public static final class Connection implements AutoCloseable {
        private final RedisAddress address;
        private final RedisClient client;
        private final StatefulRedisConnection<String, String> connection;
        private final String digest;

        public Connection(RedisServer redis) {
            this.address = Objects.requireNonNull(RedisAddressParser.parse(redis.uri()));
            this.client = RedisClient.create(redis.uri());
            this.connection = client.connect();
            this.digest = connection.sync().scriptLoad(TIMED);
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    /** Begins with an empty Redis. */
    public ScriptInVirtualTime(Connection connection, LongSupplier nowMillis) {
        this.connection = connection;
        this.nowMillis = nowMillis;
        this.answered = new AnsweredBatches(() -> TimeUnit.MILLISECONDS.toNanos(nowMillis.getAsLong()));
        connection.connection.sync().flushall();
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        connection.connection.sync().set(NOW, String.valueOf(nowMillis.getAsLong()));
        ReplyAssembly assembly = new ReplyAssembly(batch, answered);
        try {
            for (Chunk chunk : Chunk.ofAll(batch)) {
                AsyncCommand<String, String, String> call =
                        script.call(CommandType.EVALSHA, connection.digest, batch, chunk);
                connection.connection.dispatch(call);
                assembly.add(chunk, call.join());
            }
        } catch (CompletionException e) { // the batch is stale
            return CompletableFuture.failedFuture(RedisFailure.of(e).asException(connection.address));
        }
        List<String> told = connection.connection.sync().lrange(TOLD, 0, -1);
        connection.connection.sync().del(TOLD);
        for (int i = 0; i < told.size(); i += 2) {
            publish(told.get(i), told.get(i + 1), batch.instance());
        }
        return CompletableFuture.completedFuture(assembly.reply());
    }

    /** Each line of a message is one kind of news, with its keys. */
    private void publish(String channel, String message, String sender) {
        message.substring(0, message.indexOf("\n\n")).lines().forEach(line -> {
            List<String> words = Arrays.asList(line.split(" "));
            News news = new News(News.Kind.valueOf(words.get(0)), Set.copyOf(words.subList(1, words.size())));
            listeners.forEach((instance, listener) -> {
                boolean isForAll = channel.equals(CHANNEL) && !instance.equals(sender);
                if (isForAll || channel.equals(CHANNEL + ":@" + instance)) {
                    listener.accept(news);
                }
            });
        });
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
    }

    @Override
    public void close() {}
}
