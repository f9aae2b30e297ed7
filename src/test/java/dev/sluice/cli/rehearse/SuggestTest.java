package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Invocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuggestTest {

    private static final String LIMITS =
            Path.of("examples", "rehearse", "rate-limits.yml").toString();
    private static final String LOG =
            Path.of("examples", "rehearse", "access.log").toString();
    private static final Pattern SAID = Pattern.compile(
            "In these logs it refuses (nobody|(\\d+) calls? of (\\d+) callers?: .*)\\.?\\n  - id: (\\S+)");

    @TempDir
    private Path directory;

    @Test
    void whatItWritesPassesCheckAndRefusesWhatItSays() throws Exception {
        Path file = directory.resolve("suggested.yml");
        assertThat(Invocation.of("rehearse", LIMITS, LOG, "--suggest", file.toString())
                        .exitCode())
                .isZero();
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out()).startsWith("OK ").doesNotContain("warning");
        JsonNode report = new ObjectMapper()
                .readTree(Invocation.of("rehearse", file.toString(), LOG, "--json")
                        .out());
        Matcher said = SAID.matcher(Files.readString(file));
        int endpoints = 0;
        long refused = 0;
        for (; said.find(); endpoints++) {
            JsonNode endpoint = report.get("endpoints").get(endpoints);
            assertThat(endpoint.get("id").asText()).isEqualTo(said.group(4));
            long calls = said.group(2) == null ? 0 : Long.parseLong(said.group(2));
            long callers = said.group(3) == null ? 0 : Long.parseLong(said.group(3));
            assertThat(endpoint.get("refused").asLong()).isEqualTo(calls);
            assertThat(endpoint.get("refusedClients").asLong()).isEqualTo(callers);
            refused += calls;
        }
        assertThat(endpoints).isEqualTo(report.get("endpoints").size()).isGreaterThan(5);
        assertThat(refused).isEqualTo(report.get("refused").asLong()).isPositive();
    }

    /** Thresholds are fitted to the calls of the region, so a share would cut them again. */
    @Test
    void leavesOutTheShareOfTheRegion() throws Exception {
        Path regional = directory.resolve("regional.yml");
        Files.writeString(regional, Files.readString(Path.of(LIMITS)) + "\nregionShare: 0.5\n");
        assertThat(Invocation.of("rehearse", regional.toString(), LOG, "--suggest")
                        .out())
                .contains("endpoints:")
                .doesNotContain("regionShare");
    }

    @Test
    void findsThoseWhoStandOut() {
        Invocation run = Invocation.of("rehearse", LIMITS, LOG, "--suggest");
        assertThat(run.out())
                .startsWith("# Suggested by sluice rehearse, from 8482 calls")
                .contains("subjects:\n  caller: [ principal, ip ]\n")
                .contains("of 1 caller: caller=192.0.2.66", "of 1 caller: caller=partner-3", "caller=192.0.2.200")
                .contains("pathPattern: \"/product/{id}\"", "algorithm: token-bucket, burst:");
    }

    @Test
    void standardInputIsThereOnce() {
        assertThat(Invocation.of("rehearse", LIMITS, "-", "--suggest").err())
                .contains("--suggest reads the logs three times, and standard input is there once");
    }
}
