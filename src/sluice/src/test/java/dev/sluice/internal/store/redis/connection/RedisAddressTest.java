package dev.sluice.internal.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.TestClock;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.redis.connection.RedisAddress.Host;
import dev.sluice.internal.store.redis.connection.RedisAddress.Kind;
import dev.sluice.internal.store.redis.connection.RedisAddress.Verify;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

    private static RedisAddress parse(String uri) {
        RedisAddress address = RedisAddressParser.parse(uri);
        assertThat(address).isNotNull();
        return address;
    }

    @Nested
    class Understands {

        @Test
        void theShortestForm() {
            RedisAddress address = parse("redis://localhost");
            assertThat(address.kind()).isEqualTo(Kind.SINGLE);
            assertThat(address.tls()).isFalse();
            assertThat(address.hosts()).containsExactly(new Host("localhost", 6379));
            assertThat(address.database()).isZero();
            assertThat(address.user()).isNull();
            assertThat(address.password()).isNull();
            assertThat(address.options().timeout()).isEqualTo(Duration.ofSeconds(1));
            assertThat(address.options().verify()).isEqualTo(Verify.FULL);
        }

        @Test
        void allThatCanBeSaid() {
            RedisAddress address = parse("rediss://ann:p%40%3A+%2525@redis.example.org:7000/5"
                    + "?timeout=250ms&verify=ca&ca=/etc/ca.pem&cert=/c.pem&key=/k.pem");
            assertThat(address.tls()).isTrue();
            assertThat(address.user()).isEqualTo("ann");
            assertThat(address.password()).isEqualTo("p@:+%25");
            assertThat(address.hosts()).containsExactly(new Host("redis.example.org", 7000));
            assertThat(address.database()).isEqualTo(5);
            assertThat(address.options().timeout()).isEqualTo(Duration.ofMillis(250));
            assertThat(address.options().verify()).isEqualTo(Verify.CA);
            assertThat(address.options().ca()).isEqualTo("/etc/ca.pem");
        }

        @Test
        void aPasswordWithAnAtSign() {
            assertThat(parse("redis://:a@b@localhost").password()).isEqualTo("a@b");
        }

        @Test
        void addressesOfVersionSix() {
            assertThat(parse("redis://[::1]:7000").hosts()).containsExactly(new Host("::1", 7000));
            assertThat(parse("redis://[::1]").toString()).isEqualTo("redis://[::1]:6379");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "redis-sentinel://u:p@s1:26380,s2/2?timeout=2s&sentinelUser=su&sentinelPassword=sp#main",
                    "redis-sentinel://u:p@s1:26380,s2/2?timeout=2s&sentinelUser=su&sentinelPassword=sp&master=main",
                    "REDIS-SENTINEL://u:p@s1:26380, s2?database=2&timeout=2s&sentinelUser=su&sentinelPassword=sp#main"
                })
        void sentinels(String uri) {
            RedisAddress address = parse(uri);
            assertThat(address.kind()).isEqualTo(Kind.SENTINEL);
            assertThat(address.master()).isEqualTo("main");
            assertThat(address.hosts()).containsExactly(new Host("s1", 26380), new Host("s2", 26379));
            assertThat(address.database()).isEqualTo(2);
            assertThat(address.options().sentinelUser()).isEqualTo("su");
            assertThat(address.options().sentinelPassword()).isEqualTo("sp");
            assertThat(address).hasToString("redis-sentinel://s1:26380,s2:26379/2#main");
        }

        @Test
        void clusters() {
            RedisAddress address = parse("rediss-cluster://:p@a:7000,b,c:7002");
            assertThat(address.kind()).isEqualTo(Kind.CLUSTER);
            assertThat(address.tls()).isTrue();
            assertThat(address).hasToString("rediss-cluster://a:7000,b:6379,c:7002");
            assertThat(parse("redis-cluster://a/0").database()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        redis:localhost                  | "//" is missing after the scheme
        redis://                         | the host is missing
        redis://:6379                    | the host is missing
        redis://u:s3cret@/0              | the host is missing
        redis://h:0                      | the port is not a number from 1 to 65535
        redis://h:99999                  | the port is not a number from 1 to 65535
        redis://user:s3cret              | the port is not a number from 1 to 65535
        redis://s3$cret                  | a host name is not valid
        redis://[s3:cret]                | a host name is not valid
        redis://u:s3/cret@h              | there is a "@" after the host; if a password contains one of / ? # @, write %2F %3F %23 %40
        redis://u:s3#cret@h              | there is a "@" after the host; if a password contains one of / ? # @, write %2F %3F %23 %40
        redis://u:s3cret%4@h             | a "%" is not followed by two hexadecimal digits; write a percent sign itself as %25
        redis://h/one                    | the text after the "/" is not a database number; if a password contains a slash, write %2F
        redis://:s3/cret%40h:6379        | the text after the "/" is not a database number; if a password contains a slash, write %2F
        redis://u:s3/cret                | the text after the "/" is not a database number; if a password contains a slash, write %2F
        redis://h?database=s3cret        | database in the query is not a number
        redis://h?timeout=s3cret         | timeout is not a duration; write 500ms or 2s
        redis://h?timeout=0s             | timeout is not a duration; write 500ms or 2s
        redis://h?timout=1s              | there is an unknown option; the options are timeout, database, master, verify, ca, cert, key, sentinelUser and sentinelPassword; if a password contains one of ? & =, write %3F %26 %3D
        redis://p?s3cret=x               | there is an unknown option; the options are timeout, database, master, verify, ca, cert, key, sentinelUser and sentinelPassword; if a password contains one of ? & =, write %3F %26 %3D
        redis://h?verify=s3cret          | verify is not one of full, ca, none
        redis://h?verify                 | an option is not name=value; if a password contains one of ? & =, write %3F %26 %3D
        redis://:p?s3cret                | an option is not name=value; if a password contains one of ? & =, write %3F %26 %3D
        redis://h?sentinelPassword=s3&cret | an option is not name=value; if a password contains one of ? & =, write %3F %26 %3D
        redis://h?cert=/c.pem            | only one of cert and key is given; a certificate needs both
        redis://a,b                      | 2 hosts are given, but only one is allowed; for a cluster write redis-cluster://
        redis://h#main                   | a master name after "#" is only for sentinels
        redis-sentinel://s1,s2           | the master name is missing at the end, after "#"
        redis-sentinel://s3#cret%40s1    | the master name after "#" can contain only letters, digits and . _ -
        redis-cluster://a,,b             | the host is missing
        redis-cluster://a,b/3            | a cluster supports only database 0; remove the database number
        redis-cluster://a?database=3     | a cluster supports only database 0; remove the database number
        """)
    void complainsClearly(String uri, String sentence) {
        String scheme = uri.substring(0, uri.indexOf(':'));
        assertThatThrownBy(() -> CounterStores.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("store uri " + scheme + "://…: " + sentence + "; an example: " + scheme + "://")
                .hasMessageNotContainingAny("s3", "cret");
    }

    @Test
    void everyExampleWouldDo() {
        for (String bad :
                new String[] {"redis://", "rediss://", "redis-sentinel://", "redis-cluster://", "rediss-cluster://"}) {
            assertThatThrownBy(() -> parse(bad)).satisfies(e -> {
                String example = e.getMessage().substring(e.getMessage().indexOf("; an example: ") + 14);
                assertThat(parse(example).password()).isEqualTo("password");
            });
        }
    }

    @Test
    void neverShowsAPassword() {
        RedisAddress address = parse("redis-sentinel://ann:s3cret@h?sentinelPassword=s3cret#m");
        assertThat(address.toString() + address.options())
                .doesNotContain("s3cret")
                .doesNotContain("ann");
    }

    @Test
    void opensMemory() {
        try (CounterStore store = CounterStores.open("memory:", new TestClock(42))) {
            assertThat(store).isInstanceOf(InMemoryCounterStore.class);
            assertThat(Exchanges.exchange(store, Exchanges.batch("i", 1)).nowMillis())
                    .isEqualTo(42);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reddis://u:s3cret@h", "http://u:s3cret@h"})
    void namesTheKindsThereAre(String uri) {
        assertThatThrownBy(() -> CounterStores.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "store uri begins with \"[a-z]+:\", which is not a known scheme; write, for example, "
                                + "redis://localhost:6379 \\(supported: memory:, redis://, rediss:// for TLS, "
                                + "redis-sentinel://host1,host2#master, redis-cluster://host1,host2, "
                                + "mongodb://host1,host2/database and mongodb\\+srv://host/database\\)")
                .hasMessageNotContaining("s3cret");
    }

    /** Also where a word or a number before or after a colon may be a password. */
    @ParameterizedTest
    @ValueSource(strings = {"s3cret", "s3:cret@h", "u:s3cret", "s3cret:x", "localhost:6379", "u:53"})
    void asksForAMissingScheme(String uri) {
        assertThatThrownBy(() -> CounterStores.open(uri))
                .hasMessageStartingWith("store uri does not begin with a scheme; write, for example, "
                        + "redis://localhost:6379 (supported: ")
                .hasMessageNotContainingAny("s3", "cret", "53");
    }

    @Test
    void tellsThatMemoryEndsWithItsColon() {
        assertThatThrownBy(() -> CounterStores.open("memory:s3cret"))
                .hasMessageStartingWith("store uri has text after memory:; write memory: (supported: ");
        assertThatThrownBy(() -> CounterStores.open("memory"))
                .hasMessageStartingWith("store uri \"memory\" lacks its colon; write memory: (supported: ");
    }
}
