package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Getting in: users, passwords, rights, databases and TLS. */
@Tag("store")
class RedisEntryTest {

    private final CounterKey acme = key("e", "acme", 0, System.currentTimeMillis() + 600_000);
    private final Batch batch = batch("i", 1, report(acme, 3));

    private void assertCounts(String uri) {
        try (CounterStore store = CounterStores.open(uri)) {
            assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(3, 0, 0));
        }
    }

    private StoreException failure(CounterStore store) {
        return catchThrowableOfType(StoreException.class, () -> Exchanges.exchange(store, batch));
    }

    private void assertFails(String uri, String sentence) {
        try (CounterStore store = CounterStores.open(uri)) {
            StoreException trouble = failure(store);
            for (int i = 0; i < 1000 && trouble.getMessage().endsWith(" is not connected"); i++) {
                Eventually.pause(5); // a new connection may break before its first command
                trouble = failure(store);
            }
            assertThat(trouble).hasMessageEndingWith(sentence);
            assertThat(trouble).hasMessageNotContainingAny("s3cret", "p@ss", "wrong");
        }
    }

    @Nested
    class Plain {

        private static RedisServer redis;
        private static String entry;

        @BeforeAll
        static void start() {
            redis = RedisServer.open();
            entry = DocumentedRights.entry(redis);
            redis.call("ACL", "SETUSER", "reader", "on", ">s3cret", "~*", "+@all", "-set");
        }

        @AfterAll
        static void stop() {
            redis.close();
        }

        @BeforeEach
        void empty() {
            redis.call("FLUSHALL");
        }

        private String uri(String entry, String remaining) {
            return "redis://" + entry + "127.0.0.1:" + redis.port() + remaining;
        }

        @Test
        void aUserNeedsFewRights() {
            assertCounts(uri(entry, ""));
        }

        @Test
        void reportsAWrongPasswordWithoutShowingIt() {
            assertFails(uri("sluice:wrong@", ""), " does not accept the user or the password of the store uri");
        }

        @Test
        void reportsAMissingRight() {
            assertFails(
                    uri("reader:s3cret@", ""),
                    " does not grant the user all rights that Sluice needs; see " + "docs/stores.md");
        }

        @Test
        void saysThatThereIsNoSuchDatabase() {
            assertFails(
                    uri("", "/99"),
                    "/99 does not have the database of the store uri; "
                            + "write a different number after the \"/\", or none");
        }

        @Test
        void theDatabaseIsTheOneAskedFor() {
            assertCounts(uri("", "/3"));
            assertThat((String) redis.call("INFO", "keyspace"))
                    .contains("db3:keys=3")
                    .doesNotContain("db0");
            redis.call("FLUSHALL");
            assertCounts(uri("", "?database=4"));
            assertThat((String) redis.call("INFO", "keyspace")).contains("db4:keys=3");
        }
    }

    @Test
    void aPasswordAloneIsThatOfTheDefaultUser() {
        try (RedisServer redis = RedisServer.open("--requirepass", "s3cret")) {
            assertCounts("redis://:s3cret@127.0.0.1:" + redis.port());
            assertCounts("redis://s3cret@127.0.0.1:" + redis.port());
            assertFails("redis://127.0.0.1:" + redis.port(), " requires a password; the store uri has none");
        }
    }

    @Nested
    class Tls {

        @TempDir
        private static Path directory;

        private static int port;
        private static RedisServer redis;

        @BeforeAll
        static void start() throws IOException, InterruptedException {
            assumeTrue(openssl("version"), "no openssl on this machine to make certificates with");
            assumeTrue(
                    openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out "
                            + "cert.pem"
                            + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1"),
                    "this openssl makes no certificate");
            port = RedisServer.freePort();
            try {
                redis = RedisServer.open(
                        "--tls-port",
                        String.valueOf(port),
                        "--tls-cert-file",
                        path("cert.pem"),
                        "--tls-key-file",
                        path("key.pem"),
                        "--tls-ca-cert-file",
                        path("cert.pem"),
                        "--tls-auth-clients",
                        "optional");
            } catch (IllegalStateException e) {
                assumeTrue(false, "this redis-server is built without TLS");
            }
        }

        @AfterAll
        static void stop() {
            if (redis != null) {
                redis.close();
            }
        }

        private static String path(String file) {
            return directory.resolve(file).toString();
        }

        private static boolean openssl(String arguments) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of("openssl"));
            command.addAll(List.of(arguments.split(" ")));
            try {
                Process process = new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("openssl.log").toFile())
                        .start();
                return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
            } catch (IOException e) {
                return Files.notExists(directory);
            }
        }

        @Test
        void trustsTheAuthorityOfTheUri() {
            assertCounts("rediss://localhost:" + port + "?ca=" + path("cert.pem"));
        }

        @Test
        void showsItsOwnCertificateIfItHasOne() {
            redis.call("CONFIG", "SET", "tls-auth-clients", "yes");
            try {
                String ca = "rediss://localhost:" + port + "?timeout=3s&ca=" + path("cert.pem");
                assertCounts(ca + "&cert=" + path("cert.pem") + "&key=" + path("key.pem"));
                try (CounterStore store = CounterStores.open(ca)) {
                    assertThat(catchThrowableOfType(StoreException.class, () -> Exchanges.exchange(store, batch)))
                            .isNotNull();
                }
            } finally {
                redis.call("CONFIG", "SET", "tls-auth-clients", "optional");
            }
        }

        @Test
        void trustsNobodyElse() {
            assertFails("rediss://localhost:" + port, " unable to find valid certification path to requested target");
        }

        @Test
        void checksNothingIfToldSo() {
            assertCounts("rediss://127.0.0.1:" + port + "?verify=none");
        }
    }
}
