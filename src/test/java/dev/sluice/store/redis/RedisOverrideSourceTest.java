package dev.sluice.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.store.OverrideSources;
import dev.sluice.store.redis.KeptLimit.Note;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisOverrideSourceTest {

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme|of % all", "get-product", "5000/10s");

    private static final ClientOverride OTHER = new ClientOverride("tenant", "beta", "get-product", "1/1s");

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
        assertThat(done(source.set(ACME, Note.NONE))).isTrue();
        assertThat(all().limits()).containsExactly(ACME);
        ClientOverride more = new ClientOverride("tenant", ACME.value(), "get-product", "9000/10s");
        done(source.set(more, Note.NONE));
        assertThat(all().limits()).containsExactly(more);
        assertThat(done(source.unset(ACME))).isTrue();
        assertThat(done(source.unset(ACME))).isFalse();
        assertThat(all().limits()).isEmpty();
    }

    @Test
    void asksOnlyForTheVersionWhileNothingChanges() {
        done(source.set(ACME, Note.NONE));
        String version = all().version();
        redis.call("CONFIG", "RESETSTAT");
        assertThat(done(source.changedSince(version))).isEmpty();
        Map<String, Long> calls = redis.commandCalls();
        assertThat(calls).containsEntry("get", 1L).doesNotContainKeys("hgetall", "hlen");
        done(source.unset(ACME));
        assertThat(done(source.changedSince(version))).map(Kept::limits).contains(List.of());
    }

    @Test
    void endsByItselfByTheClockOfRedis() {
        done(source.set(ACME, new Note(Duration.ofMillis(1), "eve@ops|1", "a | sale\nuntil morning")));
        done(source.set(OTHER, new Note(Duration.ofHours(1), "eve@ops-1", "")));
        Kept before = all();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (all().limits().contains(ACME)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        assertThat(all().limits()).containsExactly(OTHER);
        assertThat(redis.call("ZCARD", "sluice:{limits}:ends")).isEqualTo(1L);
        assertThat(all().version()).isEqualTo(all().version());
        assertThat(before.limits()).contains(OTHER);
        assertThat(done(source.unset(ACME))).isFalse();
        done(source.set(OTHER, Note.NONE));
        assertThat(redis.call("ZCARD", "sluice:{limits}:ends")).isEqualTo(0L);
    }

    @Test
    void keepsWhoSetItWhenAndWhy() {
        done(source.set(ACME, new Note(Duration.ofHours(1), "eve@ops|1", "a | sale\nuntil morning")));
        assertThat(done(source.all())).singleElement().satisfies(kept -> {
            assertThat(kept.limit()).isEqualTo(ACME);
            assertThat(kept.by()).isEqualTo("eve@ops/1");
            assertThat(kept.why()).isEqualTo("a | sale until morning");
            assertThat(kept.untilMillis() - kept.setMillis()).isEqualTo(3_600_000);
        });
    }

    @Test
    void followsWhateverStandsWhereTheEndsAreKept() {
        done(source.set(ACME, Note.NONE));
        redis.call("SET", "sluice:{limits}:ends", "garbled");
        assertThat(all().limits()).containsExactly(ACME);
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
        assertThatThrownBy(() -> done(source.set(ACME, Note.NONE)))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("keeps limits of clients beyond the 100000 that can be");
        redis.call("HSET", "sluice:{limits}", "t|e|more", "1/1s");
        assertThatThrownBy(this::all).hasMessageContaining("beyond the 100000 that can be");
    }

    @Test
    void saysThatRedisHasLostThem() {
        done(source.set(ACME, Note.NONE));
        String version = all().version();
        redis.call("FLUSHALL");
        assertThatThrownBy(() -> done(source.changedSince(version)))
                .hasMessageContaining("has lost the limits that were set there; set them again");
        done(source.set(ACME, Note.NONE));
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
