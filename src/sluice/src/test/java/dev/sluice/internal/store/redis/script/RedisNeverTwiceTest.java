package dev.sluice.internal.store.redis.script;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.NeverTwiceContract;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import dev.sluice.internal.store.redis.connection.RedisFailure;
import dev.sluice.internal.store.redis.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The script of the product, whose clock is ahead of that of Redis. When it is put forward, all keys have to live so
 * much shorter.
 */
@Tag("store")
class RedisNeverTwiceTest extends NeverTwiceContract {

    private static final String CLOCK = "local time = call('TIME')";

    private static RedisServer redis;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;
    private static Duration ahead = Duration.ZERO;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
        client = RedisClient.create(redis.uri());
        connection = client.connect();
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        redis.close();
    }

    @Override
    protected long now() {
        return System.currentTimeMillis() + ahead.toMillis();
    }

    @Override
    protected void passes(Duration time) {
        ahead = ahead.plus(time);
        redis.call("EVAL", """
                for _, key in ipairs(redis.call('KEYS', '*')) do
                  local ttl = redis.call('PTTL', key)
                  if ttl >= 0 then
                    redis.call('PEXPIRE', key, ttl - ARGV[1])
                  end
                end""", "0", String.valueOf(time.toMillis()));
    }

    @Override
    protected CounterStore open() {
        return new Ahead();
    }

    /** As {@code RedisCounterStore}, one chunk after the other. */
    private static class Ahead implements CounterStore {

        private final ExchangeScript script = new ExchangeScript(TimeToLive.USUAL, "news");
        private final AnsweredBatches answered = new AnsweredBatches(() -> System.nanoTime() + ahead.toNanos());

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            String later = ExchangeScript.TEXT.replace(CLOCK, CLOCK + " time[1] = time[1] + " + ahead.toSeconds());
            ReplyAssembly reply = new ReplyAssembly(batch, answered);
            try {
                for (Chunk chunk : Chunk.ofAll(batch)) {
                    AsyncCommand<String, String, String> call = script.call(CommandType.EVAL, later, batch, chunk);
                    connection.dispatch(call);
                    reply.add(chunk, call.get(10, TimeUnit.SECONDS));
                }
                return CompletableFuture.completedFuture(reply.reply());
            } catch (Exception e) {
                return CompletableFuture.failedFuture(
                        RedisFailure.of(e).asException(Objects.requireNonNull(RedisAddressParser.parse(redis.uri()))));
            }
        }

        @Override
        public void close() {}
    }
}
