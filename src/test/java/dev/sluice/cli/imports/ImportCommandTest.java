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

    private static final String ENVOY = """
            domain: shop
            descriptors:
              - key: remote_address
                rate_limit: { unit: second, requests_per_unit: 3 }
            """;
    private static final String DEEP = "x: " + "[".repeat(60) + "]".repeat(60);

    @TempDir
    private Path directory;

    @Test
    void theResultPassesTheCheck() throws IOException {
        Path result = directory.resolve("rate-limits.yml");
        Invocation run = Imported.run(directory, ENVOY, "--output", result.toString());
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
        Invocation run = Imported.run(directory, ENVOY, "--output", result);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualToIgnoringNewLines("sluice: " + result + " already exists; write --force to replace it");
        assertThat(Path.of(result)).hasContent("mine");
        assertThat(Imported.run(directory, ENVOY, "--output", result, "--force").exitCode())
                .isZero();
        assertThat(Files.readString(Path.of(result))).contains("remote_address");
    }

    @Test
    void theFormatCanBeNamed() {
        String file = Imported.write(directory, "a.yml", ENVOY);
        assertThat(Invocation.of("import", "envoy", file).exitCode()).isZero();
        assertThat(Invocation.of("import", "bucket4j", file).err())
                .contains("there is no \"bucket4j\" outside of a profile [SL-109]");
        Invocation wrong = Invocation.of("import", "kong", file);
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err())
                .isEqualToIgnoringNewLines(
                        "sluice: unknown format 'kong'; write envoy or bucket4j (see sluice import --help)");
    }

    @Test
    void routesAreForEnvoyOnly() {
        Invocation run = Imported.run(directory, "bucket4j: { filters: [] }", "--routes", "envoy.yaml");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("sluice: --routes is for Envoy's configuration only");
    }

    @Test
    void nothingToImportHasAnExitCodeOfItsOwn() {
        for (String nothing : new String[] {"bucket4j: { filters: [] }", "domain: a\ndescriptors: []\n"}) {
            Invocation run = Imported.run(directory, nothing);
            assertThat(run.exitCode()).isEqualTo(8);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).isEqualToIgnoringNewLines("0 endpoints");
        }
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
                Arguments.of("a: 1", "is neither the configuration of an Envoy ratelimit service"),
                Arguments.of(
                        "kind: ConfigMap\nmetadata: { name: limits }\ndata: { shop.yaml: \"domain: a\" }",
                        "foreign.yml is a ConfigMap of Kubernetes; import the text in its data: "
                                + "kubectl get configmap limits -o jsonpath='{.data.shop\\.yaml}' | sluice import -"),
                Arguments.of("x: \u0000", "the character U+0000 is not allowed in YAML"),
                Arguments.of(
                        "a: !!javax.script.ScriptEngineManager [ 1 ]",
                        "foreign.yml:1:4 a: a tab".replace("tab", "tag")),
                Arguments.of(DEEP, "values are nested more than 50 deep"),
                Arguments.of("a: " + "x".repeat(200_000), "the line is longer than 100000 characters"),
                Arguments.of("a: |\n" + " xxxxxxxxx\n".repeat(150_000), "the file is larger than 1048576 bytes"),
                Arguments.of("a: &a [ x ]\nb:\n" + "  - *a\n".repeat(200), "more than 100 aliases"),
                Arguments.of("a: &a [ *a ]\n", "nested more than 50 deep"),
                Arguments.of("bucket4j.enabled=true\nbucket4j.filters[0].url=.*", "these are properties"),
                Arguments.of("bucket4j: 7", "foreign.yml:1:11 bucket4j: \"7\" stands where a map is expected [SL-105]"),
                Arguments.of(
                        "bucket4j: { filters: [ { url: [ a ], rate-limits: 5 } ] }",
                        "bucket4j.filters[0].url: a list stands where a text is expected"),
                Arguments.of(
                        "bucket4j: { filters: [ { rate-limits: [ { bandwidths: [ { capacity: \"${c}\", time: 1, unit: s } ] "
                                + "} ] } ] }",
                        "\"${c}\" has no default, so import cannot know its value"),
                Arguments.of(
                        "bucket4j: { filters: [ { rate-limits: [ { bandwidths: [ { capacity: 1, time: 1, unit: moons } ] } ]"
                                + " } ] }",
                        "\"moons\" is not a unit of the starter"),
                Arguments.of(
                        "domain: a\ndescriptors: [ { key: k, rate_limit: { unit: eon, requests_per_unit: -1 } } ]",
                        ":2:40 descriptors[0].rate_limit.unit: \"eon\" is not a unit"),
                Arguments.of(
                        "domain: a\ndescriptors: [ { value: v } ]",
                        ":2:16 descriptors[0]: the key \"key\" is missing"));
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
                common: &minute { unit: minute }
                domain: shop
                descriptors:
                  - key: remote_address
                    rate_limit: { <<: *minute, requests_per_unit: 4 }
                """, "--enforce");
        assertThat(imported.passed(Imported.get("/"), 9)).isEqualTo(4);
    }
}
