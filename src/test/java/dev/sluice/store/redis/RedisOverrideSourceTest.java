package dev.sluice.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.store.OverrideSources;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisOverrideSourceTest {

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme|of % all", "get-product", "5000/10s");

    private static RedisServer redis;
    private static String uri;
    private RedisOverrideSource source;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
        uri = DocumentedRights.uri(redis);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void open() {
        redis.call("FLUSHALL");
        source = OverrideSources.open(uri);
    }

    @AfterEach
    void close() {
        source.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private Kept all() {
        return done(source.changedSince("")).orElseThrow();
    }

    @Test
    void keepsWhatIsSet() {
        assertThat(all().limits()).isEmpty();
        assertThat(done(source.set(ACME))).isTrue();
        assertThat(all().limits()).containsExactly(ACME);
        ClientOverride more = new ClientOverride("tenant", ACME.value(), "get-product", "9000/10s");
        done(source.set(more));
        assertThat(all().limits()).containsExactly(more);
        assertThat(done(source.unset(ACME))).isTrue();
        assertThat(done(source.unset(ACME))).isFalse();
        assertThat(all().limits()).isEmpty();
    }

    @Test
    void asksOnlyForTheVersionWhileNothingChanges() {
        done(source.set(ACME));
        String version = all().version();
        redis.call("CONFIG", "RESETSTAT");
        assertThat(done(source.changedSince(version))).isEmpty();
        Map<String, Long> calls = redis.commandCalls();
        assertThat(calls).containsEntry("get", 1L).doesNotContainKeys("hgetall", "hlen");
        done(source.unset(ACME));
        assertThat(done(source.changedSince(version))).map(Kept::limits).contains(List.of());
    }

    @Test
    void handsOnWhatSomebodyElseWroteThere() {
        redis.call("HSET", "sluice:{limits}", "garbled", "?");
        assertThat(all().limits()).containsExactly(new ClientOverride("garbled", "", "", "?"));
    }

    @Test
    void takesNoMoreThanCanBeFollowed() {
        String fill = "for i = 1, tonumber(ARGV[1]) do redis.call('HSET', KEYS[1], 't|e|' .. i, '1/1s') end";
        redis.call("EVAL", fill, "1", "sluice:{limits}", "100000");
        assertThat(all().limits()).hasSize(100_000);
        assertThatThrownBy(() -> done(source.set(ACME)))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("keeps limits of clients beyond the 100000 that can be");
        redis.call("HSET", "sluice:{limits}", "t|e|more", "1/1s");
        assertThatThrownBy(this::all).hasMessageContaining("beyond the 100000 that can be");
    }

    @Test
    void saysThatRedisHasLostThem() {
        done(source.set(ACME));
        String version = all().version();
        redis.call("FLUSHALL");
        assertThatThrownBy(() -> done(source.changedSince(version)))
                .hasMessageContaining("has lost the limits that were set there; set them again");
        done(source.set(ACME));
        assertThat(done(source.changedSince(version))).map(Kept::limits).contains(List.of(ACME));
    }

    @Test
    void opensNoStoreThatKeepsNone() {
        assertThatThrownBy(() -> OverrideSources.open("memory:"))
                .hasMessage(
                        "store uri memory: cannot keep limits of clients; write, for example, redis://localhost:6379");
        assertThatThrownBy(() -> OverrideSources.open("http://host"))
                .hasMessageContaining("begins with \"http:\", which is not a known scheme");
    }
}
