package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands for a file with an endpoint on methods. */
class OnMethodsTest {

    @TempDir
    private Path directory;

    private String file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(directory.resolve("rate-limits.yml"), """
                        - { id: report, on: report, per: [ "argument:id" ], tiers: [ { period: 1h, threshold: 2 } ] }
                        - { id: paths, pathPattern: /a, tiers: [ { period: 1h, threshold: 2 } ] }
                        """).toString();
    }

    @Test
    void checkReadsIt() {
        assertThat(Invocation.of("check", file).out()).contains("OK", "2 endpoints");
    }

    @Test
    void explainMatchesNoRequest() {
        assertThat(Invocation.of("explain", file, "GET", "/report").out())
                .contains("No endpoint matches GET /report", "report: on: report", "paths: any method /a");
        assertThat(Invocation.of("explain", file, "GET", "/a").out())
                .contains("paths")
                .doesNotContain("report:");
    }

    @Test
    void rehearsePlaysOnlyRequests() throws IOException {
        Path log = Files.writeString(directory.resolve("access.log"), """
                10.0.0.1 - - [02/Mar/2026:00:00:10 +0000] "GET /a HTTP/1.1" 200 10
                10.0.0.1 - - [02/Mar/2026:00:00:11 +0000] "GET /report HTTP/1.1" 200 10
                """);
        assertThat(Invocation.of("rehearse", file, log.toString()).out())
                .contains(
                        "report: it limits calls of the application's methods, which the log does not contain",
                        "paths: any method /a")
                .doesNotContain("report: any method");
    }

    @Test
    void serveTriesARequest() {
        var endpoints = dev.sluice.internal.config.file.LimitsReader.read(
                        dev.sluice.internal.config.source.ConfigLocation.source(file), java.util.Set.of())
                .limits()
                .endpoints();
        assertThat(endpoints.get(0).where()).isEqualTo("on: report");
        assertThat(Serve.curl("http://localhost", endpoints.get(1))).isEqualTo("curl -i 'http://localhost/a'");
    }
}
