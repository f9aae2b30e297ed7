package dev.sluice.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.claimOf;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch;
import dev.sluice.CounterKey;
import dev.sluice.CounterStore;
import dev.sluice.Fuzz;
import dev.sluice.StoreException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whatever a URI says, Redis answers or keeps: it is understood or refused, in words that show no password. */
class StoreFuzzTest {

    private static final int MOST_ON_REDIS = 300;

    private final long end = System.currentTimeMillis() + 600_000;

    @Test
    void aUriIsOneOrHasATrouble() {
        Fuzz.each("stores.txt", uri -> {
            String trouble = CounterStores.troubleWith(uri);
            boolean hasPassword = uri.matches("(?s)([^:/]*:/{0,2})?[^/?#]*s3cret[^/?#]*@.*")
                    && uri.indexOf("s3cret") == uri.lastIndexOf("s3cret");
            if (trouble != null) {
                assertThat(hasPassword && trouble.contains("s3cret"))
                        .as(trouble)
                        .isFalse();
                assertThat(Fuzz.isPlain(trouble)).as(trouble).isTrue();
            } else if (!uri.equals(CounterStores.MEMORY)) {
                String shown = String.valueOf(RedisAddressParser.parse(uri));
                assertThat(Fuzz.isPlain(shown)).as(shown).isTrue();
                assertThat(hasPassword && shown.contains("s3cret")).as(shown).isFalse();
            }
        });
    }

    @Test
    void aReplyIsUnderstoodOrATroubleOfTheStore() {
        Batch batch = batch("i", 1, claimOf(key(unique(), "a", 0, end), 10).claim());
        RedisAddress address = RedisAddressParser.parse("redis://localhost");
        Fuzz.each("replies.txt", text -> {
            ReplyAssembly assembly = new ReplyAssembly(batch, new AnsweredBatches(() -> 0));
            try {
                Chunk.ofAll(batch).forEach(chunk -> assembly.add(chunk, text));
                assertThat(assembly.reply().grants()).hasSize(1);
            } catch (RuntimeException e) {
                String told = RedisTrouble.of(new CompletionException(e))
                        .asException(address)
                        .getMessage();
                assertThat(Fuzz.isPlain(told)).as(told).isTrue();
                assertThat(told).hasSizeLessThan(2_500);
            }
        });
    }

    @Test
    void contentsOfRedisAreUnderstoodOrATroubleOfTheStore() {
        try (RedisServer redis = RedisServer.open();
                CounterStore store = CounterStores.open(redis.uri() + "?timeout=10s")) {
            CounterKey counted = key(unique(), "a", 0, end);
            AtomicInteger number = new AtomicInteger();
            exchange(store, counted, number.incrementAndGet());
            List<?> keys = List.copyOf((List<?>) redis.call("KEYS", "*"));
            assertThat(keys).isNotEmpty();
            Fuzz.each("replies.txt", text -> {
                int i = number.incrementAndGet();
                if (i > MOST_ON_REDIS) {
                    return;
                }
                for (Object key : keys) {
                    overwrite(redis, String.valueOf(key), text, i);
                }
                exchange(store, counted, i);
            });
            keys.forEach(key -> redis.call("DEL", String.valueOf(key)));
            assertThat(exchange(store, counted, number.incrementAndGet())).isTrue();
        }
    }

    private static void overwrite(RedisServer redis, String key, String text, int i) {
        if (i % 2 == 0) {
            redis.call("DEL", key);
        }
        switch (i % 5) {
            case 0 -> redis.call("SET", key, text);
            case 1 -> redis.call("EVAL", "return redis.pcall('LPUSH', KEYS[1], ARGV[1]) and 1", "1", key, text);
            case 2 -> redis.call("EVAL", "return redis.pcall('SADD', KEYS[1], ARGV[1]) and 1", "1", key, text);
            default ->
                redis.call(
                        "EVAL",
                        "for _, f in ipairs(redis.pcall('HKEYS', KEYS[1])) do redis.pcall('HSET', KEYS[1], f, ARGV[1]) end "
                                + "redis.pcall('HSET', KEYS[1], ARGV[1], ARGV[1]) return 1",
                        "1",
                        key,
                        text);
        }
    }

    /** Whether the store has answered; if not, it said so as stores do. */
    private static boolean exchange(CounterStore store, CounterKey counted, int sequence) {
        try {
            Batch batch = batch("i", sequence, claimOf(counted, 10).used(1).claim());
            Batch.Reply reply = store.exchange(batch).toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(reply.grants()).hasSize(1);
            return true;
        } catch (Exception e) {
            assertThat(e.getCause()).isInstanceOf(StoreException.class);
            assertThat(Fuzz.isPlain(e.getCause().getMessage()))
                    .as(e.getCause().getMessage())
                    .isTrue();
            return false;
        }
    }
}
