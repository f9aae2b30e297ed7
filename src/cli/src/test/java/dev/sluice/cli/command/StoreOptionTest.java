package dev.sluice.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store and its password need not stand on the command line. */
@Tag("store")
class StoreOptionTest {

    private static final String PASSWORD = "p@ss:w/o#rd é";

    private static RedisServer redis;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        redis = RedisServer.open("--requirepass", PASSWORD);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @AfterEach
    void forget() {
        System.clearProperty("SLUICE_STORE");
        System.clearProperty("SLUICE_STORE_PASSWORD");
    }

    private static void succeeds(String... options) {
        Invocation run = list(options);
        assertThat(run.err()).isEqualToIgnoringNewLines("no limits are set");
        assertThat(run.exitCode()).isZero();
    }

    private static void fails(int exitCode, String sentence, String... options) {
        Invocation run = list(options);
        assertThat(run.err()).isEqualToIgnoringNewLines("sluice: " + sentence).hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(exitCode);
    }

    private static Invocation list(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "limits";
        arguments[1] = "list";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return Invocation.of(arguments);
    }

    private String passwordFile(String text) throws IOException {
        return Files.writeString(directory.resolve("password"), text).toString();
    }

    @Test
    void aPasswordStandsInAFile() throws IOException {
        succeeds("--store", redis.patientUri(), "--password-file", passwordFile(PASSWORD + "\n"));
        succeeds(
                "--store",
                redis.patientUri().replace("://", "://default@"),
                "--password-file",
                passwordFile(PASSWORD + "\r\nmore"));
        fails(
                4,
                redis.uri() + " does not accept the user or the password of --password-file",
                "--store",
                redis.patientUri(),
                "--password-file",
                passwordFile("another"));
    }

    @Test
    void storeAndPasswordStandInTheEnvironment() {
        fails(
                4,
                redis.uri() + " requires a password; set one with --password-file or SLUICE_STORE_PASSWORD",
                "--store",
                redis.patientUri());
        System.setProperty("SLUICE_STORE_PASSWORD", "wrong");
        fails(
                4,
                redis.uri() + " does not accept the user or the password in SLUICE_STORE_PASSWORD",
                "--store",
                redis.patientUri());
        Map.of("SLUICE_STORE", redis.patientUri(), "SLUICE_STORE_PASSWORD", PASSWORD)
                .forEach(System::setProperty);
        succeeds();
        fails(
                4,
                redis.uri() + " does not accept the user or the password in the uri of --store",
                "--store",
                redis.patientUri().replace("://", "://:other@"));
        System.setProperty("SLUICE_STORE", redis.patientUri().replace("://", "://:other@"));
        fails(4, redis.uri() + " does not accept the user or the password in the uri of SLUICE_STORE");
    }

    @Test
    void aServerThatSaysNothingMaySpeakTls() {
        Invocation run = list("--store", redis.uri().replace("redis://", "rediss://"));
        assertThat(run.err())
                .contains("; it may hang, or the scheme may be wrong: write rediss:// if it uses TLS, and redis:// "
                        + "if not")
                .hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(4);
    }

    @Test
    void namesWhatIsWrongWithThem() throws IOException {
        String help = " (see sluice limits list --help)";
        String none = directory.resolve("none").toString();
        fails(2, "--password-file: cannot read '" + none + "'" + help, "--store", redis.uri(), "--password-file", none);
        String empty = passwordFile("\n");
        fails(
                2,
                "--password-file '" + empty + "' does not begin with a password" + help,
                "--store",
                redis.uri(),
                "--password-file",
                empty);
        fails(
                2,
                "--password-file: the store's URI already has a password; remove one of the two" + help,
                "--store",
                "redis://:x@host",
                "--password-file",
                empty);
        System.setProperty("SLUICE_STORE", "http://host");
        Invocation run = list();
        assertThat(run.err()).startsWith("sluice: SLUICE_STORE: store uri begins with \"http:\"");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://host, redis://:p%40/1@host",
        "redis://host:1/2?timeout=1s, redis://:p%40/1@host:1/2?timeout=1s",
        "redis://eve@host, redis://eve:p%40/1@host",
        "redis://eve:@host, redis://eve:p%40/1@host",
        "redis-sentinel://eve@a@b:1#m, redis-sentinel://eve@a:p%40/1@b:1#m",
        "memory:, memory:"
    })
    void aPasswordIsPutIntoAUri(String uri, String with) {
        assertThat(new StoreArgument(uri).withPassword("p@/1")).isEqualTo(with.replace("/1@", "%2F1@"));
        assertThat(new StoreArgument(uri).hasPassword()).isFalse();
    }
}
