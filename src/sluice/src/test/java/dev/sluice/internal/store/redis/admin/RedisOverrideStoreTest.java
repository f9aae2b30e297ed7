package dev.sluice.internal.store.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Eventually;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.OverrideStoreContract;
import dev.sluice.internal.store.OverrideStores;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("store")
class RedisOverrideStoreTest extends OverrideStoreContract {

    private static final String HISTORY = "sluice:{limits}:history";
    private static final ClientOverride ACME = new ClientOverride("tenant", "acme|of % all", "get-product", "5000/10s");

    private static final ClientOverride OTHER = new ClientOverride("tenant", "beta", "get-product", "1/1s");

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static String uri;
    private OverrideStore source;

    @BeforeAll
    static void nameUser() {
        uri = DocumentedRights.uri(redis);
    }

    @BeforeEach
    void open() {
        source = OverrideStores.open(uri);
        // Lettuce may tell that it has connected a moment before it takes commands.
        Eventually.await(
                "an answer",
                () -> source.version()
                        .handle((version, failure) -> failure == null)
                        .toCompletableFuture()
                        .join());
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Override
    protected OverrideStore store() {
        return source;
    }

    private Overrides all() {
        return done(source.changedSince("")).orElseThrow();
    }

    @Test
    void remembersTheLatestChangesOnlyAndNoOlderOnes() {
        long now = System.currentTimeMillis();
        long old = now - OverrideStore.HISTORY_LASTS.toMillis() - 3_600_000;
        redis.call("ZADD", HISTORY, old + "000", "a\n5/10s|0|" + old + "||\ntenant|orders|old");
        redis.call("ZADD", HISTORY, now + "000", "none of ours");
        redis.call("ZADD", HISTORY, now + "000", "b\n" + "x".repeat(9_000) + "\ntenant|orders|long");
        assertThat(done(source.history())).isEmpty();
        done(source.set(ACME, Note.NONE));
        assertThat(redis.call("ZSCORE", HISTORY, "a\n5/10s|0|" + old + "||\ntenant|orders|old"))
                .isNull();
        assertThat((Long) redis.call("PTTL", HISTORY)).isPositive();
        List<String> many = new ArrayList<>();
        for (int i = 0; i < OverrideStore.MOST_HISTORY; i++) {
            many.add(now + 60_000 + i + "000");
            many.add(i + "\n5/10s|0|" + now + "||\ntenant|orders|c" + i);
        }
        for (int i = 0; i < many.size(); i += 5000) {
            List<String> some = new ArrayList<>(List.of("ZADD", HISTORY));
            some.addAll(many.subList(i, i + 5000));
            redis.call(some.toArray(String[]::new));
        }
        done(source.set(OTHER, Note.NONE));
        assertThat(redis.call("ZCARD", HISTORY)).isEqualTo((long) OverrideStore.MOST_HISTORY);
        List<StoredOverride> all = done(source.history());
        assertThat(all).hasSize(OverrideStore.MOST_HISTORY);
        assertThat(all.get(0).limit().value()).isEqualTo("c" + (OverrideStore.MOST_HISTORY - 1));
    }

    @Test
    void setsLimitsAlsoWhereSomethingElseStandsForTheHistory() {
        redis.call("SET", HISTORY, "garbled");
        assertThat(done(source.history())).isEmpty();
        assertThat(done(source.set(ACME, Note.NONE))).isTrue();
        assertThat(done(source.history())).extracting(StoredOverride::limit).containsExactly(ACME);
    }

    @Test
    void tellsInstancesWhoSetALimitWhenAndWhy() {
        done(source.set(ACME, new Note(Duration.ofHours(1), "eve@ops-1", "a sale")));
        assertThat(all().notes().get(ACME))
                .returns("eve@ops-1", OverrideNote::by)
                .returns("a sale", OverrideNote::why)
                .satisfies(note -> assertThat(note.untilMillis() - note.setMillis())
                        .isEqualTo(Duration.ofHours(1).toMillis()));
    }

    @Test
    void asksOnlyForTheVersionWhileNothingChanges() {
        done(source.set(ACME, Note.NONE));
        String version = all().version();
        redis.call("CONFIG", "RESETSTAT");
        assertThat(done(source.changedSince(version))).isEmpty();
        Map<String, Long> calls = redis.commandCalls();
        assertThat(calls).containsEntry("getrange", 1L).doesNotContainKeys("hkeys", "hlen", "hget");
        done(source.unset(ACME, Note.NONE));
        assertThat(done(source.changedSince(version))).map(Overrides::limits).contains(List.of());
    }

    @Test
    void endsByItselfByTheClockOfRedis() {
        done(source.set(ACME, new Note(Duration.ofMillis(1), "eve@ops|1", "a | sale\nuntil morning")));
        done(source.set(OTHER, new Note(Duration.ofHours(1), "eve@ops-1", "")));
        Overrides before = all();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (all().limits().contains(ACME)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        assertThat(all().limits()).containsExactly(OTHER);
        assertThat(all().untilMillis(OTHER) - all().nowMillis()).isBetween(3_500_000L, 3_600_000L);
        assertThat(redis.call("ZCARD", "sluice:{limits}:ends")).isEqualTo(1L);
        assertThat(all().version()).isEqualTo(all().version());
        assertThat(before.limits()).contains(OTHER);
        assertThat(done(source.unset(ACME, Note.NONE))).isFalse();
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
    void worksWithAnyValueUnderTheKeyOfTheEnds() {
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
                .hasMessageContaining("has more than 100000 client overrides");
        redis.call("HSET", "sluice:{limits}", "t|e|more", "1/1s");
        assertThatThrownBy(this::all).hasMessageContaining("has more than 100000 client overrides");
    }

    /** Writes a value of so many bytes for this limit, as somebody else may do. */
    private static void writeLong(ClientOverride limit, int bytes) {
        String write = "return redis.call('HSET', KEYS[1], ARGV[1], string.rep('x', ARGV[2]))";
        redis.call("EVAL", write, "1", "sluice:{limits}", StoredOverride.field(limit), String.valueOf(bytes));
    }

    private static long sentBytes() {
        Matcher sent = Pattern.compile("total_net_output_bytes:(\\d+)").matcher((String) redis.call("INFO", "stats"));
        assertThat(sent.find()).isTrue();
        return Long.parseLong(sent.group(1));
    }

    @Test
    void areNotSentWhereTheyAreTooLong() {
        done(source.set(ACME, Note.NONE));
        writeLong(OTHER, 20_000_000);
        writeLong(new ClientOverride("tenant", "y".repeat(5000), "get-product", ""), 1);
        long before = sentBytes();
        ClientOverride unread = new ClientOverride("tenant", "beta", "get-product", "(20000000 bytes)");
        assertThat(all().limits())
                .hasSize(3)
                .contains(ACME, unread)
                .anySatisfy(limit -> assertThat(limit)
                        .returns("tenant", ClientOverride::subject)
                        .returns("(5019 bytes)", ClientOverride::tiers));
        assertThat(done(source.all())).hasSize(3);
        assertThat(sentBytes() - before).isLessThan(100_000);
        assertThat(done(source.unset(OTHER, Note.NONE))).isTrue();
        assertThat(all().limits()).hasSize(2).contains(ACME).doesNotContain(unread);
    }

    @Test
    void areRefusedWhereTheyAreTooLargeTogether() {
        String fill = "for i = 1, 9000 do redis.call('HSET', KEYS[1], 't|e|' .. i, string.rep('x', 4000)) end";
        redis.call("EVAL", fill, "1", "sluice:{limits}");
        assertThatThrownBy(this::all)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("has more than 32 MB of client overrides");
    }

    @Test
    void areReadAgainstAnyVersionThatSomebodyElseWrites() {
        done(source.set(ACME, Note.NONE));
        Overrides known = all();
        String write = "return redis.call('SET', KEYS[1], string.rep('a', 200000))";
        redis.call("EVAL", write, "1", "sluice:{limits}:version");
        Overrides after = next(source, known).orElseThrow();
        assertThat(after.limits()).containsExactly(ACME);
        assertThat(next(source, after)).isEmpty();
    }

    @Test
    void arePutBackOverWhatIsTooLong() {
        done(source.set(ACME, Note.NONE));
        Overrides known = all();
        redis.call("FLUSHALL");
        writeLong(ACME, 1_000_000);
        writeLong(OTHER, 1_000_000);
        assertThat(next(source, known).orElseThrow().limits()).hasSize(2).contains(ACME);
    }

    /** What an instance hears when it asks again; nothing if that is what it knows. */
    private static Optional<Overrides> next(OverrideStore instance, Overrides known) {
        return done(instance.changedSince(known.version()));
    }

    @Test
    void putsBackWhatRedisHasLost() {
        try (OverrideStore operator = OverrideStores.open(uri);
                OverrideStore other = OverrideStores.open(uri)) {
            done(operator.set(ACME, new Note(Duration.ofHours(1), "eve@ops-1", "a sale")));
            done(operator.set(OTHER, Note.NONE));
            List<StoredOverride> before = done(operator.all());
            Overrides known = all();
            Overrides knownToOther = done(other.changedSince("")).orElseThrow();
            redis.call("FLUSHALL");
            Overrides back = next(source, known).orElseThrow();
            assertThat(back.limits()).containsExactlyInAnyOrderElementsOf(known.limits());
            assertThat(done(operator.all())).containsExactlyInAnyOrderElementsOf(before);
            assertThat(redis.call("ZCARD", "sluice:{limits}:ends")).isEqualTo(1L);
            assertThat(next(source, back)).isEmpty();

            // What is taken back afterwards stays away, though another instance still knows it.
            done(operator.unset(ACME, Note.NONE));
            Overrides heard = next(other, knownToOther).orElseThrow();
            assertThat(heard.limits()).containsExactly(OTHER);
            assertThat(next(source, back)).map(Overrides::limits).contains(List.of(OTHER));
            assertThat(done(operator.version())).isEqualTo(heard.version());
        }
    }

    @Test
    void putsNothingBackOverWhatWasSetSince() {
        done(source.set(ACME, Note.NONE));
        done(source.set(OTHER, Note.NONE));
        Overrides known = all();
        redis.call("FLUSHALL");
        ClientOverride since = new ClientOverride(ACME.subject(), ACME.value(), ACME.endpoint(), "1/1h");
        done(source.set(since, Note.NONE));
        assertThat(next(source, known))
                .map(Overrides::limits)
                .hasValueSatisfying(limits -> assertThat(limits).containsExactlyInAnyOrder(since, OTHER));
    }

    /** As where Redis is killed between two snapshots. */
    @Test
    void putsBackWhatAnOlderStateOfRedisDoesNotHave() {
        done(source.set(ACME, Note.NONE));
        Object hash = redis.call("HGET", "sluice:{limits}", "tenant|get-product|" + ACME.value());
        Object version = redis.call("GET", "sluice:{limits}:version");
        ClientOverride later = new ClientOverride(ACME.subject(), ACME.value(), ACME.endpoint(), "9000/10s");
        awaitNextMillisecond();
        done(source.set(later, Note.NONE));
        done(source.set(OTHER, Note.NONE));
        Overrides known = all();
        redis.call("FLUSHALL");
        redis.call("HSET", "sluice:{limits}", "tenant|get-product|" + ACME.value(), String.valueOf(hash));
        redis.call("SET", "sluice:{limits}:version", String.valueOf(version));
        assertThat(next(source, known))
                .map(Overrides::limits)
                .hasValueSatisfying(limits -> assertThat(limits).containsExactlyInAnyOrder(later, OTHER));
    }

    @Test
    void putsBackWhatTheFirstInstanceToDoSoDidNotKnow() {
        try (OverrideStore other = OverrideStores.open(uri)) {
            done(source.set(ACME, Note.NONE));
            Overrides early = done(other.changedSince("")).orElseThrow();
            done(source.set(OTHER, Note.NONE));
            Overrides known = all();
            redis.call("FLUSHALL");
            assertThat(next(other, early)).map(Overrides::limits).contains(List.of(ACME));
            assertThat(next(source, known))
                    .map(Overrides::limits)
                    .hasValueSatisfying(limits -> assertThat(limits).containsExactlyInAnyOrder(ACME, OTHER));
        }
    }

    /** The instance was cut off from Redis when the limit was removed. */
    @Test
    void takesBackWhatAnInstancePutBackThatHadNotHeardOfItsEnd() {
        try (OverrideStore cutOff = OverrideStores.open(uri)) {
            done(source.set(ACME, Note.NONE));
            redis.call("HSET", "sluice:{limits}", "tenant|get-product|" + ACME.value(), setAMinuteAgo("5000/10s"));
            Overrides early = done(cutOff.changedSince("")).orElseThrow();
            done(source.unset(ACME, Note.NONE));
            Overrides known = all();
            assertThat(known.limits()).isEmpty();
            redis.call("FLUSHALL");
            assertThat(next(cutOff, early)).map(Overrides::limits).contains(List.of(ACME));
            done(source.set(OTHER, Note.NONE));
            Overrides heard = next(source, known).orElseThrow();
            assertThat(heard.limits()).containsExactly(OTHER);
            assertThat(next(cutOff, early)).map(Overrides::limits).contains(List.of(OTHER));
            assertThat(redis.call("KEYS", "sluice:{limits}:back:*").toString()).isEqualTo("[]");
        }
    }

    private static String setAMinuteAgo(String tiers) {
        return tiers + "|0|" + (System.currentTimeMillis() - 60_000) + "||";
    }

    /** A limit that was set in the same millisecond as another does not count as later. */
    private static void awaitNextMillisecond() {
        String millis = "local t = redis.call('TIME') return t[1] * 1000 + math.floor(t[2] / 1000)";
        Object first = redis.call("EVAL", millis, "0");
        Eventually.await("the next millisecond", () -> !first.equals(redis.call("EVAL", millis, "0")));
    }

    /** As where Redis is killed between two snapshots. */
    @Test
    void takesBackWhatAnOlderStateOfRedisStillHas() {
        done(source.set(OTHER, Note.NONE));
        done(source.set(ACME, Note.NONE));
        Object version = redis.call("GET", "sluice:{limits}:version");
        done(source.unset(ACME, Note.NONE));
        Overrides known = all();
        assertThat(known.limits()).containsExactly(OTHER);
        redis.call("SET", "sluice:{limits}:version", String.valueOf(version));
        redis.call("HSET", "sluice:{limits}", "tenant|get-product|" + ACME.value(), setAMinuteAgo("5000/10s"));
        assertThat(next(source, known)).map(Overrides::limits).contains(List.of(OTHER));
    }

    @Test
    void putsNothingBackThatIsOver() {
        done(source.set(ACME, new Note(Duration.ofMillis(100), "", "")));
        done(source.set(OTHER, Note.NONE));
        Overrides known = all();
        assertThat(known.limits()).contains(ACME);
        long end = known.untilMillis(ACME);
        redis.call("FLUSHALL");
        Eventually.await("the end of the limit", () -> System.currentTimeMillis() > end);
        assertThat(next(source, known)).map(Overrides::limits).contains(List.of(OTHER));
    }

    @Test
    void putsVeryManyBack() {
        String fill = "for i = 1, tonumber(ARGV[1]) do redis.call('HSET', KEYS[1], 't|e|' .. i, '1/1s|0|5|a|b') end";
        done(source.set(OTHER, Note.NONE));
        redis.call("EVAL", fill, "1", "sluice:{limits}", "2500");
        Overrides known = all();
        redis.call("FLUSHALL");
        assertThat(next(source, known))
                .map(Overrides::limits)
                .hasValueSatisfying(limits -> assertThat(limits).hasSameElementsAs(known.limits()));
        assertThat(redis.call("HLEN", "sluice:{limits}")).isEqualTo(2501L);
    }

    @Test
    void putsNothingBackThatWasTakenBack() {
        done(source.set(ACME, Note.NONE));
        Overrides known = all();
        done(source.unset(ACME, Note.NONE));
        assertThat(next(source, known)).map(Overrides::limits).contains(List.of());
        redis.call("FLUSHALL");
        assertThat(all().limits()).isEmpty();
    }

    @Test
    void opensNoStoreThatKeepsNone() {
        assertThatThrownBy(() -> OverrideStores.open("memory:"))
                .hasMessage("store uri memory: cannot store client limits; write, for example, redis://localhost:6379");
        assertThatThrownBy(() -> OverrideStores.open("http://host"))
                .hasMessageContaining("begins with \"http:\", which is not a known scheme");
    }
}
