package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30) // whoever waits for a server that does not stop is interrupted
@Tag("store")
@Tag("server")
class ServeTest {

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Answers {

        private Path file;
        private ServedFile served;

        @BeforeAll
        void start(@TempDir Path directory) throws IOException {
            file = limits(directory, "/limited", 2);
            served = new ServedFile(file.toString());
        }

        @AfterAll
        void stop() throws Exception {
            served.close();
        }

        @Test
        void tellWhereItListensAndWhatItFollows() {
            assertThat(served.address()).matches("Sluice listens on http://127\\.0\\.0\\.1:\\d+");
            assertThat(served.following())
                    .startsWith("It follows " + file.toAbsolutePath() + ": 1 endpoint, 1 tier, ")
                    .endsWith("; calls count in this process alone");
        }

        @ParameterizedTest
        @CsvSource({
            "GET, /", "POST, /login", "PUT, /a/b/c", "DELETE, /x?status=", "OPTIONS, /x", "PROPFIND, /x",
                    "INVENTED, /x", "get, /x",
            "GET, /a%2fb", "GET, //a//b", "GET, /a;v=1/b", "GET, /a/../b", "GET, /a/%2e%2e/b", "GET, /a\\b",
                    "GET, /%25", "GET, /%5c",
            "GET, /WEB-INF/web.xml", "GET, /é", "GET, /%ff", "GET, /a%0d%0ab", "GET, /%c0%af", "GET, /[x]|{y}",
                    "GET, /x?%zz"
        })
        void comeForEveryMethodAndPath(String method, String target) throws IOException {
            String path = target.replaceAll("\\?.*", "");
            if (target.endsWith("status=")) {
                assertThat(served.call(method, target))
                        .startsWith("HTTP/1.1 400")
                        .contains("write 200 to 599");
            } else {
                assertThat(served.call(method, target))
                        .startsWith("HTTP/1.1 200")
                        .contains("200 " + method + " " + path + "\n");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {200, 201, 204, 205, 304, 401, 404, 500, 599})
        void haveTheStatusThatIsAskedFor(int status) throws IOException {
            assertThat(served.call("GET", "/x?a=b&status=" + status)).startsWith("HTTP/1.1 " + status);
        }

        @Test
        void comeAsLateAsIsAskedFor() throws IOException {
            Instant start = Instant.now();
            assertThat(served.call("GET", "/x?delay=150ms&status=503"))
                    .startsWith("HTTP/1.1 503")
                    .contains("503 GET /x");
            assertThat(Duration.between(start, Instant.now())).isGreaterThanOrEqualTo(Duration.ofMillis(150));
        }

        @ParameterizedTest
        @CsvSource({
            "status=600, status=600 is not a status that the sandbox can return; write 200 to 599",
            "status=101, status=101 is not a status that the sandbox can return; write 200 to 599",
            "status=no, status=no is not a status that the sandbox can return; write 200 to 599",
            "delay=61s, 'delay=61s is not a delay; write 50ms or 2s, at most 60s'",
            "delay=soon, 'delay=soon is not a delay; write 50ms or 2s, at most 60s'",
            "delay=-1s, 'delay=-1s is not a delay; write 50ms or 2s, at most 60s'"
        })
        void refuseAWishThatIsNone(String query, String sentence) throws IOException {
            assertThat(served.call("GET", "/x?" + query))
                    .startsWith("HTTP/1.1 400")
                    .endsWith("\r\n\r\n" + sentence + "\n");
        }

        @Test
        void areRefusedOverTheLimit() throws IOException {
            assertThat(served.call("GET", "/limited"))
                    .startsWith("HTTP/1.1 200")
                    .contains("x-ratelimit-remaining: 1");
            assertThat(served.call("GET", "//limited;v=1?status=404"))
                    .startsWith("HTTP/1.1 404")
                    .contains("x-ratelimit-remaining: 0");
            assertThat(served.call("GET", "/limited"))
                    .startsWith("HTTP/1.1 429")
                    .contains(
                            "x-ratelimit-limit: 2", "x-ratelimit-remaining: 0", "x-ratelimit-reset: ", "Retry-After: ")
                    .contains("application/problem+json", "quota-exceeded");
        }
    }

    @Nested
    class CountingNotes {

        @Test
        void showsInItsAnswers(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
                endpoints:
                  - id: failed-payments
                    methods: [ POST ]
                    pathPattern: /payments
                    count: { status: [ 402, 5xx ] }
                    tiers: [ { period: 366d, threshold: 5 } ]
                """);
            try (ServedFile served = new ServedFile(file.toString())) {
                for (int i = 0; i < 7; i++) {
                    assertThat(served.call("POST", "/payments")).startsWith("HTTP/1.1 200");
                }
                for (int i = 0; i < 5; i++) {
                    int status = i % 2 == 0 ? 402 : 503;
                    assertThat(served.call("POST", "/payments?status=" + status))
                            .startsWith("HTTP/1.1 " + status);
                }
                assertThat(served.call("POST", "/payments")).startsWith("HTTP/1.1 429");
            }
        }

        @Test
        void showsInLateAnswersToo(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
                - id: logins
                  pathPattern: /login
                  count: { status: [ 401 ] }
                  tiers: [ { period: 366d, threshold: 1 } ]
                """);
            try (ServedFile served = new ServedFile(file.toString());
                    Socket late = served.send("GET", "/login?delay=400ms&status=403")) {
                assertThat(served.call(
                                "GET", "/login?status=401")) // it waits for the late answer, which does not count
                        .startsWith("HTTP/1.1 401");
                late.getInputStream().readAllBytes();
                assertThat(served.call("GET", "/login")).startsWith("HTTP/1.1 429");
            }
        }
    }

    @Nested
    class ItsPage {

        private static final String PAGE = "/_sluice/";

        @TempDir
        private Path directory;

        @Test
        void isThereForThisComputerAndNotLimited() throws Exception {
            try (ServedFile served = new ServedFile(limits(directory, "/**", 1).toString())) {
                assertThat(served.page()).isEqualTo("The page is at http://127.0.0.1:" + served.port() + PAGE);
                for (int call = 0; call < 3; call++) {
                    assertThat(served.call("GET", PAGE))
                            .startsWith("HTTP/1.1 200")
                            .contains("<title>");
                }
                assertThat(served.call("GET", "/x")).startsWith("HTTP/1.1 200");
                assertThat(served.call("GET", "/x")).startsWith("HTTP/1.1 429");
                assertThat(served.call("GET", PAGE + "data.json")).contains(",1,1,0]]"); // one allowed, one refused
            }
        }

        /** Otherwise a web site whose name resolves to this computer could read it through browsers of its visitors. */
        @Test
        void isNotThereForWhoCallsItByAnotherName() throws Exception {
            try (ServedFile served = new ServedFile(limits(directory, "/x", 1).toString())) {
                for (String path : new String[] {PAGE, PAGE + "data.json", PAGE + "events"}) {
                    assertThat(served.call("GET", path, "evil.example"))
                            .startsWith("HTTP/1.1 403")
                            .doesNotContain("limited");
                }
                assertThat(served.call("GET", "/other", "evil.example")).startsWith("HTTP/1.1 200");
            }
        }

        @Test
        void openPageServesItToEverybody() throws Exception {
            try (ServedFile served = new ServedFile(limits(directory, "/x", 1).toString(), "--open-page")) {
                assertThat(served.call("GET", PAGE, "shop.example")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Nested
    class ItsLife {

        @TempDir
        private Path directory;

        @Test
        void followsItsFile() throws Exception {
            try (ServedFile served =
                    new ServedFile(limits(directory, "/limited", 100_000).toString())) {
                assertThat(served.call("GET", "/limited")).contains("x-ratelimit-limit: 100000");
                limits(directory, "/limited", 200_000);
                Instant tooLate = Instant.now().plusSeconds(20);
                while (!served.call("GET", "/limited").contains("x-ratelimit-limit: 200000")) {
                    assertThat(Instant.now()).isBefore(tooLate);
                }
            }
        }

        @Test
        void stopsAndGivesItsPortBack() throws Exception {
            ServedFile served = new ServedFile(limits(directory, "/limited", 2).toString());
            assertThat(served.call("GET", "/x")).startsWith("HTTP/1.1 200");
            int port = served.port();
            assertThat(served.stop()).isZero();
            try (ServerSocket again = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(again.isBound()).isTrue();
            }
        }

        @Test
        void finishesAnswersThatAreInFlight() throws Exception {
            try (ServedFile served = new ServedFile(
                            limits(directory, "/limited", 100_000).toString());
                    Socket late = served.send("GET", "/limited?delay=800ms")) {
                int calls = 1;
                while (!served.call("GET", "/limited").contains("x-ratelimit-remaining: " + (100_000 - calls - 1))) {
                    assertThat(++calls)
                            .as("calls until the late one was counted")
                            .isLessThan(1000);
                }
                assertThat(served.stop()).isZero();
                assertThat(new String(late.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200");
            }
        }
    }

    @Nested
    class ItsThreads {

        /**
         * All of Sluice at work: shared counters, overrides, blocks, heartbeats and the page; parked and late calls add
         * a thread.
         */
        @Test
        void areFewWithRedis(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
                subjects: { tenant: [ ip ] }
                endpoints:
                  - id: blocked
                    pathPattern: /blocked
                    tiers: [ { period: 1h, threshold: 5, block: { after: 20, within: 1m, for: 15m } } ]
                  - id: queued
                    pathPattern: /queued
                    tiers: [ { period: 1s, threshold: 10, algorithm: leaky-bucket, queue: 9, maxQueueTime: 20s } ]
                """);
            ThreadGroup group = new ThreadGroup("served"); // threads belong to the group of the one that creates them
            try (RedisServer redis = RedisServer.open();
                    ServedFile served = CompletableFuture.supplyAsync(
                                    () -> served(file, "--store", redis.patientUri()),
                                    task -> new Thread(group, task).start())
                            .get()) {
                assertThat(served.call("GET", "/blocked")).startsWith("HTTP/1.1 200");
                assertThat(served.call("GET", "/_sluice/data.json")).startsWith("HTTP/1.1 200");
                assertThat(namesIn(group))
                        .containsExactly(
                                "sluice-background",
                                "sluice-page",
                                "sluice-store",
                                "sluice-synchroniser",
                                "sluice-watch");
                for (int call = 0; call < 3; call++) {
                    assertThat(served.call("GET", "/queued?delay=20ms")).startsWith("HTTP/1.1 200");
                }
                assertThat(namesIn(group)).hasSize(6).contains("sluice-calls");
            }
        }

        private static ServedFile served(Path file, String... options) {
            try {
                return new ServedFile(file.toString(), options);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static List<String> namesIn(ThreadGroup group) {
            Thread[] all = new Thread[1000];
            int number = group.enumerate(all);
            return Stream.of(all)
                    .limit(number)
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("sluice-"))
                    .sorted()
                    .toList();
        }
    }

    private static void callThreeTimes(Path file) throws Exception {
        try (ServedFile served = new ServedFile(file.toString())) {
            for (int i = 0; i < 3; i++) {
                assertThat(served.call("GET", "/tried")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Nested
    class DryRun {

        @Test
        void isLogged(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
                mode: dry-run
                endpoints:
                  - { id: tried, pathPattern: /tried, tiers: [ { period: 366d, threshold: 1 } ] }
                """);
            try (LogLines log = new LogLines()) {
                callThreeTimes(file);
                assertThat(log.with("Dry run: "))
                        .singleElement()
                        .asString()
                        .contains("WARN ")
                        .endsWith("Dry run: tried would have refused 2 calls since its last report; callers: tenant="
                                + "127.0.0.1 (by ip)");
            }
        }
    }

    @Nested
    class DryRunOfAFileThatLogsRefusals {

        @Test
        void isLoggedOnce(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
                mode: dry-run
                log: { refusals: 1h }
                endpoints:
                  - { id: tried, pathPattern: /tried, tiers: [ { period: 366d, threshold: 1 } ] }
                """);
            try (LogLines log = new LogLines()) {
                callThreeTimes(file);
                assertThat(log.with("would have refused 2 calls"))
                        .singleElement()
                        .asString()
                        .endsWith("tried would have refused 2 calls (dry run) within the last 1h: 2 of tenant=127.0.0.1"
                                + " (by ip) by tier 366d");
            }
        }
    }

    @Nested
    class WithAStoreThatIsUnavailable {

        @Test
        void saysSoAtTheStartAndWhenItIsBack(@TempDir Path directory) throws Exception {
            int port = RedisServer.freePort();
            try (LogLines log = new LogLines();
                    ServedFile served = new ServedFile(
                            limits(directory, "/limited", 2).toString(), "--store", "redis://127.0.0.1:" + port)) {
                assertThat(log.with("WARN The store "))
                        .singleElement()
                        .asString()
                        .contains("WARN The store is unavailable at start-up (redis://127.0.0.1:" + port
                                + " cannot be reached: ")
                        .endsWith("). Until it answers, this instance counts alone, because it knows of no other. "
                                + "Sluice keeps trying, and logs when the store is back.");
                assertThat(served.call("GET", "/limited")).startsWith("HTTP/1.1 200");
                try (RedisServer redis = RedisServer.openOn(port)) {
                    Instant tooLate = Instant.now().plusSeconds(20);
                    while (log.with("INFO The store is back. ").isEmpty()) {
                        assertThat(Instant.now()).as("the store is heard").isBefore(tooLate);
                        assertThat(redis.call("PING")).isEqualTo("PONG");
                    }
                    assertThat(log.with(" The store ")).hasSize(2);
                }
            }
        }
    }

    @Nested
    class WithTrouble {

        @TempDir
        private Path directory;

        @Test
        void aPortInUseIsOneSentence() throws IOException {
            try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                String port = String.valueOf(other.getLocalPort());
                assertThat(failure(limits(directory, "/x", 1), "--port", port))
                        .startsWith("sluice: cannot listen on 127.0.0.1:" + port + ": ")
                        .contains("choose another --port")
                        .hasLineCount(1);
            }
        }

        @Test
        void aHostThatIsNotOursIsOneSentence() throws IOException {
            assertThat(failure(limits(directory, "/x", 1), "--port", "0", "--host", "no-such-host.invalid"))
                    .isEqualToIgnoringNewLines(
                            "sluice: cannot listen on no-such-host.invalid:0: there is no such host");
        }

        @Test
        void anUnknownKindOfStoreIsRefusedWithTheKnownKinds() throws IOException {
            Path file = limits(directory, "/x", 1);
            assertThat(Invocation.of("serve", "--config", file.toString(), "--store", "cassandra://:hunter2@cache")
                            .err())
                    .startsWith("sluice: --store: store uri begins with \"cassandra:\", which is not a known scheme; "
                            + "write, for example, redis://localhost:6379 (supported: memory:, redis://, ")
                    .doesNotContain("hunter2");
        }

        @Test
        void aStoreThatTheFileAsksForIsOneSentence() throws IOException {
            int port = RedisServer.freePort();
            Path file = Files.writeString(
                    directory.resolve("with-store.yml"),
                    "store: { uri: \"redis://127.0.0.1:" + port + "\", onStart: fail }\n"
                            + "endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 1h, threshold: 1 } ] } ]\n");
            assertThat(failure(file, "--port", "0"))
                    .startsWith(
                            "sluice: the store does not respond (redis://127.0.0.1:" + port + " cannot be reached: ")
                    .contains(" sets store.onStart: fail, so the limiter does not start. ")
                    .hasLineCount(1);
        }

        @Test
        void aResolverThatCannotBeOneOfCostsIsOneOfSubjects() throws IOException {
            assertThat(failure(limits(directory, "/x", 1), "--resolver", "5", "--port", "0", "--host", "no.invalid"))
                    .contains("there is no such host");
        }

        @Test
        void aFileIsNamedOnce() {
            Invocation twice = Invocation.of("serve", "a.yml", "--config", "b.yml");
            assertThat(twice.exitCode()).isEqualTo(2);
            assertThat(twice.err())
                    .isEqualToIgnoringNewLines(
                            "sluice: both FILE and --config name a file; remove one of them (see sluice serve --help)");
            Invocation missing = Invocation.of("serve", "--port", "0", "no-such.yml");
            assertThat(missing.exitCode()).isEqualTo(1);
            assertThat(missing.err()).contains("no-such.yml");
        }

        @Test
        void aMissingFileIsOneProblem() {
            Path file = directory.resolve("absent.yml");
            assertThat(failure(file))
                    .isEqualToNormalizingNewlines(file + ": there is no such file [SL-101]\n1 error\n");
        }

        @Test
        void everyProblemOfAFileIsPrinted() throws IOException {
            Path file = Files.writeString(
                    directory.resolve("bad.yml"),
                    "- { id: a, pathPattern: /a, tiers: [ { period: 10 mins, threshold: 0 } ] }\n");
            assertThat(failure(file))
                    .contains("bad.yml:1:48", "bad.yml:1:68", "2 errors")
                    .hasLineCount(3);
        }

        private static String failure(Path file, String... options) {
            String[] arguments = new String[options.length + 3];
            arguments[0] = "serve";
            arguments[1] = "--config";
            arguments[2] = file.toString();
            System.arraycopy(options, 0, arguments, 3, options.length);
            Invocation failed = Invocation.of(arguments);
            assertThat(failed.exitCode()).isEqualTo(1);
            assertThat(failed.out()).isEmpty();
            return failed.err();
        }
    }

    private static Path limits(Path directory, String pattern, int threshold) throws IOException {
        return Files.writeString(directory.resolve("rate-limits.yml"), """
            reload: 100ms
            endpoints:
              - id: limited
                pathPattern: %s
                tiers: [ { period: 1d, threshold: %d } ]
            """.formatted(pattern, threshold));
    }
}
