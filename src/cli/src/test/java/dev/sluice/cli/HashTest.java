package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.match.caller.SecretDigest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hashes of secrets, which are the keys of counters in a service with the same file. */
class HashTest {

    private static final String FILE = """
            secrets: { key: "the key of all instances" }
            subjects:
              tenant: [ "hash(header:X-Api-Key)", ip ]
              user: [ principal ]
              visitor: [ "hash(claim:visitor)" ]
            endpoints:
              - { id: a, pathPattern: /a, tiers: [ { period: 10s, threshold: 5 } ] }
              - { id: account, pathPattern: /login, per: [ login ], count: { outcome: login-failure },
                  tiers: [ { period: 1d, threshold: 3 } ] }
            """;

    @TempDir
    private Path directory;

    private Invocation hash(String keys, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE);
        String[] arguments = new String[options.length + 2];
        arguments[0] = "hash";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(keys.getBytes(UTF_8)));
        try {
            return Invocation.of(arguments);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void isPrintedForEachLine() throws IOException {
        SecretDigest digest = SecretDigest.keyed("the key of all instances");
        assertThat(hash("k-1\nk-2\r\n").printed().lines()).containsExactly(digest.apply("k-1"), digest.apply("k-2"));
        assertThat(hash("192.0.2.7\n").printed().strip()).isEqualTo(digest.apply("192.0.2.7"));
    }

    /** As of {@code echo "$KEY "}. No header ends with a blank, so such a hash would be nobody's. */
    @Test
    void ofAHeaderIsWithoutTheBlanksAroundIt() throws IOException {
        SecretDigest digest = SecretDigest.keyed("the key of all instances");
        Invocation hashed = hash(" k-1\nk-2 \t\n \nk 3\n");
        assertThat(hashed.out().lines())
                .containsExactly(digest.apply("k-1"), digest.apply("k-2"), "", digest.apply("k 3"));
        assertThat(hashed.err().strip())
                .isEqualTo(
                        "warning: 3 lines have spaces around the secret; the hash ignores them, because servers remove "
                                + "them from header:X-Api-Key");
        assertThat(hashed.exitCode()).isZero();
    }

    @Test
    void ofAnythingElseIsWithTheBlanksAroundItAndSaysSo() throws IOException {
        Invocation hashed = hash("eve \n", "--subject", "visitor");
        assertThat(hashed.out().strip())
                .isEqualTo(SecretDigest.keyed("the key of all instances").apply("eve "));
        assertThat(hashed.err().strip())
                .isEqualTo("warning: 1 line has spaces around the secret; the hash includes them, because "
                        + "claim:visitor can contain spaces; remove them if it does not");
    }

    /** An operator looks up the counter of an account as its owner types the name. */
    @Test
    void ofALoginIsTheSameForAllSpellingsThatCountAsOne() throws IOException {
        Invocation hashed = hash("ann\n Ann \n\uFF41nn\na\u200Bnn\nbob\n", "--subject", "login");
        String ann = SecretDigest.keyed("the key of all instances").apply("ann");
        String bob = SecretDigest.keyed("the key of all instances").apply("bob");
        assertThat(hashed.out().lines()).containsExactly(ann, ann, ann, ann, bob);
        assertThat(hashed.err()).isEmpty();
    }

    @Test
    void isNotMadeOfWhatIsNoSecret() throws IOException {
        Invocation user = hash("eve\n", "--subject", "user");
        assertThat(user.exitCode()).isEqualTo(1);
        assertThat(user.err()).contains("no source of user is secret in", "write a source as hash(header:X-Api-Key)");
        assertThat(user.out()).isEmpty();
    }
}
