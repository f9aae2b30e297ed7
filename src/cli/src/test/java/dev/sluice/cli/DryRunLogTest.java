package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DryRunLogTest {

    private static final String FILE = """
        endpoints:
          - { id: hard, pathPattern: /hard, tiers: [ { period: 366d, threshold: 1 } ] }
          - { id: tried, pathPattern: /tried, mode: dry-run, tiers: [ { period: 366d, threshold: 1 } ] }
          - { id: all, pathPattern: /**, mode: dry-run, per: [], tiers: [ { period: 366d, threshold: 6 } ] }
        """;

    private final List<String> lines = new ArrayList<>();
    private final DryRunLog log = new DryRunLog(lines::add);
    private Sluice sluice;

    @TempDir
    private Path directory;

    @BeforeEach
    void open() throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE);
        sluice = Sluice.builder().config(file.toString()).listener(log).open();
    }

    @AfterEach
    void close() {
        sluice.close();
        log.close();
    }

    private void call(int times, String path, String tenant) {
        for (int i = 0; i < times; i++) {
            sluice.decide(TestCall.get(path).of(tenant));
        }
    }

    @Test
    void isOneLineForAnEndpointHoweverManyCallsThereWere() {
        call(5, "/tried", "acme");
        assertThat(lines).isEmpty();
        log.logCounts();
        assertThat(lines)
                .containsExactly(
                        "Dry run: tried would have refused 4 calls since its last report; callers: tenant=acme");
    }

    /** A reload of the file may switch the other log on and off. */
    @Test
    void skipsCallsThatTheLimiterLogs() {
        AtomicBoolean elsewhere = new AtomicBoolean();
        log.start(elsewhere::get);
        call(2, "/tried", "acme");
        elsewhere.set(true);
        call(2, "/tried", "acme");
        elsewhere.set(false);
        call(1, "/tried", "acme");
        log.logCounts();
        assertThat(lines)
                .containsExactly(
                        "Dry run: tried would have refused 2 calls since its last report; callers: tenant=acme");
    }

    @Test
    void countsAnewAfterEachLine() {
        call(3, "/tried", "acme");
        log.logCounts();
        log.logCounts();
        assertThat(lines).hasSize(1);
        call(1, "/tried", "acme");
        log.logCounts();
        assertThat(lines)
                .hasSize(2)
                .last()
                .isEqualTo("Dry run: tried would have refused 1 call since its last report; callers: tenant=acme");
    }

    @Test
    void namesThreeCallersAndSaysWhetherThereWereOthers() {
        for (String tenant : List.of("a", "b", "c", "d")) {
            call(2, "/tried", tenant);
        }
        log.logCounts();
        assertThat(lines)
                .containsExactly(
                        "Dry run: all would have refused 2 calls since its last report; all callers share the limit",
                        "Dry run: tried would have refused 4 calls since its last report; callers: tenant=a; tenant=b; "
                                + "tenant=c; and others");
    }

    @Test
    void cutsNamesAndLeavesControlCharactersOut() {
        call(2, "/tried", "a\u001b[31m\nb");
        call(2, "/tried", "0123456789abcdef-secret");
        log.logCounts();
        assertThat(lines)
                .containsExactly("Dry run: tried would have refused 2 calls since its last report; callers: "
                        + "tenant=0123456789abcdef…; tenant=\"a\\u001b[31m\\u000ab\"");
    }

    @Test
    void namesSecretsByTheirWholeHash() throws IOException {
        try (Sluice secretive = Sluice.builder()
                .config(Files.writeString(directory.resolve("secret.yml"), """
                    secrets: { key: "the key of all instances" }
                    subjects: { tenant: { sources: [ "header:X-Org-Id" ], secret: true } }
                    endpoints:
                      - { id: tried, pathPattern: /tried, mode: dry-run, tiers: [ { period: 366d, threshold: 1 } ] }
                    """).toString())
                .listener(log)
                .open()) {
            secretive.decide(TestCall.get("/tried").of("k-123"));
            secretive.decide(TestCall.get("/tried").of("k-123"));
        }
        log.logCounts();
        assertThat(lines).singleElement().asString().matches(".*; callers: tenant=#[A-Za-z0-9_-]{22}");
    }

    @Test
    void hasNothingToSayOfCallsThatAreRefused() {
        call(4, "/hard", "acme");
        log.logCounts();
        assertThat(lines).isEmpty();
    }

    @Test
    void logsTheRestAtTheEnd() {
        call(2, "/tried", "acme");
        log.close();
        assertThat(lines).hasSize(1);
    }
}
