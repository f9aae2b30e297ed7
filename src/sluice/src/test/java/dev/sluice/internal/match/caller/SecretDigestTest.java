package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limits.Client;
import dev.sluice.limits.SubjectSource;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Secret values stand as hashes that nobody can take for others, nor try without the key. */
class SecretDigestTest {

    private static final String KEY = "a key of some length";

    private final SecretDigest keyed = SecretDigest.keyed(KEY);

    private static String shown(byte[] hash) {
        return "#" + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, 16));
    }

    @Test
    void isTheBeginningOfAnHmac() throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] expected = mac.doFinal("käse".getBytes(StandardCharsets.UTF_8));

        assertThat(keyed.apply("käse")).isEqualTo(shown(expected)).hasSize(23);
        assertThat(keyed.isKeyed()).isTrue();
    }

    @Test
    void isTheBeginningOfASha256WithoutAKey() throws Exception {
        byte[] expected = MessageDigest.getInstance("SHA-256").digest("abc".getBytes(StandardCharsets.UTF_8));

        assertThat(SecretDigest.unkeyed().apply("abc")).isEqualTo(shown(expected));
        assertThat(SecretDigest.unkeyed().isKeyed()).isFalse();
    }

    @Test
    void differsWithTheKey() {
        assertThat(keyed.apply("abc"))
                .isEqualTo(SecretDigest.keyed(KEY).apply("abc"))
                .isNotEqualTo(SecretDigest.keyed(KEY + "!").apply("abc"));
    }

    /** Far more values than are remembered, of which some share a slot, and two with the same hash code. */
    @Test
    void remembersNobodyElsesHash() {
        List<String> values =
                IntStream.range(0, 20_000).mapToObj(i -> "key-" + i).toList();
        List<String> first = values.stream().map(keyed).toList();

        assertThat(first).doesNotHaveDuplicates().allMatch(SecretDigest::isHash);
        assertThat(values.stream().map(keyed).toList()).isEqualTo(first);
        assertThat(keyed.apply("Aa")).isNotEqualTo(keyed.apply("BB"));
        assertThat(keyed.apply("Aa")).isEqualTo(SecretDigest.keyed(KEY).apply("Aa"));
    }

    @Test
    void hashesLongValuesWhole() {
        String some = "x".repeat(10_000);
        assertThat(keyed.apply(some + "a"))
                .isNotEqualTo(keyed.apply(some + "b"))
                .hasSize(23);
    }

    @Test
    void namesACallerByItsKey() {
        SubjectSource key = new SubjectSource("header:X-Api-Key", call -> call.header("X-Api-Key"));
        SubjectSource secret = key.hashedBy(keyed);
        SubjectSource ip = new SubjectSource("ip", call -> call.ip());
        String hash = keyed.apply("k-1");

        assertThat(secret.name()).isEqualTo("hash(header:X-Api-Key)");
        assertThat(secret.hashedBy(SecretDigest.unkeyed())).isSameAs(secret);
        assertThat(SubjectKey.of(List.of(key, ip), "k-1")).isEqualTo("k-1");
        assertThat(SubjectKey.of(List.of(secret), "k-1")).isEqualTo(hash);
        assertThat(SubjectKey.of(List.of(secret), hash)).isEqualTo(hash);
        assertThat(SubjectKey.of(List.of(secret, ip), "192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(SubjectKey.of(List.of(secret), "192.0.2.1")).isEqualTo(keyed.apply("192.0.2.1"));
    }

    /** Whatever callers send: nothing plain looks like a hash or a digest. */
    @Test
    void isNoPlainValue() {
        SubjectSource plain = new SubjectSource("header:X-Org-Id", call -> call.header("X-Org-Id"));
        String hash = keyed.apply("k-1");
        String digest = SubjectKey.of(plain, hash);

        assertThat(digest).startsWith("sha256-").hasSize(71);
        assertThat(SubjectKey.of(plain, digest)).hasSize(71).isNotEqualTo(digest);
        assertThat(SubjectKey.of(plain.hashedBy(keyed), "k-1")).isEqualTo(hash);
        assertThat(SubjectKey.of(plain, "#" + "a".repeat(21))).hasSize(22);
        assertThat(SubjectKey.ofNamed(hash)).isEqualTo(hash);
        assertThat(SubjectKey.ofNamed(digest)).isEqualTo(digest);
        assertThat(SubjectKey.ofNamed("a".repeat(65))).isEqualTo(SubjectKey.of(plain, "a".repeat(65)));
    }

    @Test
    void hidesWhatMayBeSecretOfClients() {
        SubjectSource key = new SubjectSource("header:X-Api-Key", call -> call.header("X-Api-Key"));
        SubjectSource ip = new SubjectSource("ip", call -> call.ip());
        Client client = new Client(
                Map.of("tenant", List.of("k-1", "192.0.2.7", "free-*")), true, BigDecimal.ONE, null, Map.of());

        assertThat(HashedClient.of(client, Map.of("tenant", List.of(key.hashedBy(keyed), ip)))
                        .who())
                .containsExactly(Map.entry("tenant", List.of(keyed.apply("k-1"), "192.0.2.7", "(hidden pattern)")));
        assertThat(HashedClient.of(client, Map.of("tenant", List.of(key, ip))).who())
                .isEqualTo(client.who());
    }
}
