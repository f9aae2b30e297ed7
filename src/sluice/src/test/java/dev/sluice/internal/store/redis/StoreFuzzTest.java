package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.sluice.Fuzz;
import dev.sluice.MutatedInputs;
import dev.sluice.exchange.Batch;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import dev.sluice.internal.store.redis.connection.RedisFailure;
import dev.sluice.internal.store.redis.script.AnsweredBatches;
import dev.sluice.internal.store.redis.script.Chunk;
import dev.sluice.internal.store.redis.script.ReplyAssembly;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a URI says or Redis answers: it is understood or refused, in words that show no password. */
class StoreFuzzTest implements MutatedInputs {

    private final long end = System.currentTimeMillis() + 600_000;

    static Stream<String> uris() {
        return Fuzz.corpus("stores.txt");
    }

    static Stream<String> replies() {
        return Fuzz.corpus("replies.txt");
    }

    @MethodSource("uris")
    @FuzzTest(maxDuration = "5m")
    void aUriIsOneOrHasATrouble(@NotNull String input) {
        Fuzz.read(input, uri -> {
            String trouble = CounterStores.problemWith(uri);
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

    @MethodSource("replies")
    @FuzzTest(maxDuration = "5m")
    void aReplyIsUnderstoodOrATroubleOfTheStore(@NotNull String input) {
        Batch batch = batch("i", 1, statementOf(key(unique(), "a", 0, end), 10).statement());
        RedisAddress address = RedisAddressParser.parse("redis://localhost");
        Fuzz.read(input, text -> {
            ReplyAssembly assembly = new ReplyAssembly(batch, new AnsweredBatches(() -> 0));
            try {
                Chunk.ofAll(batch).forEach(chunk -> assembly.add(chunk, text));
                assertThat(assembly.reply().grants()).hasSize(1);
            } catch (RuntimeException e) {
                String told = RedisFailure.of(new CompletionException(e))
                        .asException(address)
                        .getMessage();
                assertThat(Fuzz.isPlain(told)).as(told).isTrue();
                assertThat(told).hasSizeLessThan(2_500);
            }
        });
    }
}
