package dev.sluice.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The command itself: what it takes, where it writes, and what it says of files that it cannot read. */
class ImportCommandTest {

    private static final String STARTER = """
        bucket4j:
          filters:
            - url: /api/.*
              rate-limits: [ { bandwidths: [ { capacity: 3, time: 1, unit: seconds } ] } ]
        """;
    private static final String PROPERTIES =
            "foreign.yml is a properties file, and import reads an application.yml; rewrite the settings of"
                    + " \"bucket4j\" as YAML, and import that: bucket4j.filters[0].url=/a becomes \"bucket4j: { filters: ["
                    + " { url: /a } ] }\"";
    private static final String DEEP = "x: " + "[".repeat(60) + "]".repeat(60);

    @TempDir
    private Path directory;

    @Test
    void theResultPassesTheCheck() throws IOException {
        Path result = directory.resolve("rate-limits.yml");
        Invocation run = Imported.run(directory, STARTER, "--output", result.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("1 endpoint written to " + result);
        Invocation check = Invocation.of("check", result.toString());
        assertThat(check.out()).startsWith("OK ").contains(": 1 endpoint, 1 tier");
        assertThat(Files.readString(result)).startsWith("# Made by sluice import from ");
    }

    @Test
    void aFileIsReplacedOnlyByForce() throws IOException {
        String result = Imported.write(directory, "rate-limits.yml", "mine");
        Invocation run = Imported.run(directory, STARTER, "--output", result);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualToIgnoringNewLines("sluice: " + result + " already exists; write --force to replace it");
        assertThat(Path.of(result)).hasContent("mine");
        assertThat(Imported.run(directory, STARTER, "--output", result, "--force")
                        .exitCode())
                .isZero();
        assertThat(Files.readString(Path.of(result))).contains("pathPattern: /api/**");
    }

    @Test
    void nothingToImportHasAnExitCodeOfItsOwn() {
        Invocation run = Imported.run(directory, "bucket4j: { filters: [] }");
        assertThat(run.exitCode()).isEqualTo(8);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualToIgnoringNewLines("0 endpoints");
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void errorsHaveTheirPlace(String text, String message) {
        Invocation run = Imported.run(directory, text);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(message).doesNotContain("unexpected error");
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of("", "foreign.yml: the file is empty [SL-111]"),
                Arguments.of("a: [", "foreign.yml:1:5: "),
                Arguments.of("a: b: c", "foreign.yml:1:5: a \":\" is not expected here"),
                Arguments.of("just words", "foreign.yml:1:1: a map is expected here"),
                Arguments.of("- a", "foreign.yml:1:1: a map is expected here"),
                Arguments.of(
                        "domain: shop\ndescriptors: [ { key: remote_address } ]",
                        "foreign.yml: there is no \"bucket4j\", and import reads only the settings of the Bucket4j"
                                + " starter; for Envoy, Kong, Resilience4j and others, docs/coming-from.md shows setting"
                                + " by setting what to write [SL-109]"),
                Arguments.of(
                        "spring.config.activate.on-profile: prod\nbucket4j: { filters: [] }",
                        "there is no \"bucket4j\" outside of a profile [SL-109]"),
                Arguments.of("x: \u0000", "the character U+0000 is not allowed in YAML"),
                Arguments.of("a: !!javax.script.ScriptEngineManager [ 1 ]", "foreign.yml:1:4 a: YAML tags"),
                Arguments.of(DEEP, "values are nested more than 50 levels deep"),
                Arguments.of("a: " + "x".repeat(200_000), "the line is longer than 100000 characters"),
                Arguments.of("a: |\n" + " xxxxxxxxx\n".repeat(150_000), "the file is larger than 1048576 bytes"),
                Arguments.of("a: &a [ x ]\nb:\n" + "  - *a\n".repeat(200), "more than 100 aliases"),
                Arguments.of("a: &a [ *a ]\n", "nested more than 50 levels deep"),
                Arguments.of("bucket4j.enabled=true\nbucket4j.filters[0].url=.*", PROPERTIES),
                Arguments.of(
                        "# as in Spring\nserver.port: 80\n\tbucket4j.filters[0].http-response-body = { \"a\": 1 }",
                        PROPERTIES),
                Arguments.of(
                        "bucket4j: 7", "foreign.yml:1:11 bucket4j: \"7\" appears where a map is expected [SL-105]"),
                Arguments.of(
                        "bucket4j: { filters: [ { url: [ a ], rate-limits: 5 } ] }",
                        "bucket4j.filters[0].url: a list appears where a text is expected"),
                Arguments.of(
                        "bucket4j: { filters: [ { rate-limits: [ { bandwidths: [ { capacity: \"${c}\", time: 1, unit:"
                                + " s } ] } ] } ] }",
                        "\"${c}\" has no default, so import cannot determine its value"),
                Arguments.of(
                        "bucket4j: { filters: [ { rate-limits: [ { bandwidths: [ { capacity: 1, time: 1, unit: moons }"
                                + " ] } ] } ] }",
                        "\"moons\" is not a unit of the starter"));
    }

    /** Its settings may be other ones than the starter's. */
    @Test
    void aPropertiesFileIsKnownByItsName() {
        String file = Imported.write(directory, "application.properties", "server.error.whitelabel: { enabled: true\n");
        Invocation run = Invocation.of("import", file);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(file + " is a properties file, and import reads an application.yml");
    }

    @Test
    void aMissingFileIsNamed() {
        Invocation run = Invocation.of("import", directory.resolve("none.yml").toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("none.yml: there is no such file [SL-101]");
    }

    @Test
    void mergedKeysAreFollowed() {
        Imported imported = Imported.of(directory, """
            common: &minute { time: 1, unit: minutes }
            bucket4j: { filters: [ { rate-limits: [ { bandwidths: [ { <<: *minute, capacity: 4 } ] } ] } ] }
            """);
        assertThat(imported.passed(Imported.get("/"), 9)).isEqualTo(4);
    }
}
