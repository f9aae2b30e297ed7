package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTest {

    private static final String GOOD = """
            - id: get-product
              methods: [ GET ]
              pathPattern: /product/*
              tiers:
                - { period: 10s, threshold: 1000 }
            - id: login
              methods: [ POST ]
              pathPattern: /login
              per: [ ip ]
              tiers:
                - { period: 1s, threshold: 5 }
                - { period: 1h, threshold: 100 }
            - id: reports
              enabled: false
              pathPattern: /reports/**
              tiers:
                - { period: 1h, threshold: 100 }
            """;

    @TempDir
    private Path directory;

    @Test
    void aGoodFileIsSummedUp() throws IOException {
        Path file = write(GOOD);
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out())
                .isEqualTo("OK " + file + ": 2 endpoints, 3 tiers, 2 subjects, 0 clients; 1 more endpoint is disabled"
                        + System.lineSeparator());
        assertThat(check.err()).isEmpty();
        assertThat(check.exitCode()).isZero();
    }

    @Test
    void theSummaryCountsClients() throws IOException {
        Path file = write("clients: [ { tenant: acme, exempt: true } ]\nendpoints:\n" + GOOD.indent(2));
        assertThat(Invocation.of("check", file.toString()).out()).contains(", 2 subjects, 1 client; 1 more endpoint ");
    }

    @Test
    void theSummaryCountsPlansAndClientsOfATable() throws IOException {
        Path table = Files.writeString(directory.resolve("clients.csv"), "client,plan\na,pro\nb,pro\n");
        Path file = write("plans: { pro: { multiply: 2 } }\nclients: { from: \"file:" + table + "\" }\nendpoints:\n"
                + GOOD.indent(2));
        assertThat(Invocation.of("check", file.toString()).out())
                .contains(", 0 clients and 2 in a file, 1 plan; 1 more endpoint ");
    }

    @Test
    void aSourceOfClientsIsNamedAsAResolver() throws IOException {
        Path file = write("clients: { from: customers }\nendpoints:\n" + GOOD.indent(2));
        assertThat(Invocation.of("check", file.toString()).out()).contains("[SL-137]");
        assertThat(Invocation.of("check", "--resolver", "customers", file.toString())
                        .out())
                .startsWith("OK ");
    }

    @Test
    void theSummaryNamesTheShareOfTheRegion() throws IOException {
        Path file = write("regionShare: 0.50\nendpoints:\n" + GOOD.indent(2));
        assertThat(Invocation.of("check", file.toString()).out())
                .endsWith("; 1 more endpoint is disabled; regionShare 0.5" + System.lineSeparator());
    }

    @Test
    void whatIsLimitedUnderCertainCircumstancesOnlyIsNamed() throws IOException {
        Path file = write(GOOD.replace("  per: [ ip ]", "  per: [ ip ]\n  when: { country: FR }"));
        assertThat(Invocation.of("check", file.toString()).out()).contains("\n  login applies only when country: FR");
    }

    @Test
    void theSummaryCountsAlgorithms() throws IOException {
        Path file = write(GOOD.replace("threshold: 5 }", "threshold: 5, algorithm: token-bucket }"));
        assertThat(Invocation.of("check", file.toString()).out())
                .contains("2 endpoints, 3 tiers (2 fixed-window, 1 token-bucket), 2 subjects");
    }

    @Test
    void everyMistakeIsNamedWithItsLine() throws IOException {
        Path file = write("""
                - id: get-product
                  methods: [ FETCH ME ]
                  pathPattern: /product/*/**/{
                  tiers:
                    - { period: 10 mins, threshold: 1000 }
                    - { period: 1h, threshold: none }
                - id: get-product
                  pathPatern: /login
                  per: [ tennant ]
                  tiers: []
                """);
        Invocation check = Invocation.of("check", file.toString());
        for (int line : new int[] {2, 3, 5, 6, 7, 8, 9, 10}) {
            assertThat(check.out()).containsPattern("(?m)^" + file + ":" + line + ":\\d+ .* \\[SL-\\d{3}]$");
        }
        assertThat(check.out())
                .contains("did you mean pathPattern?", "write 10m")
                .endsWith(" errors" + System.lineSeparator());
        long problems =
                check.out().lines().filter(line -> line.contains("[SL-")).count();
        assertThat(check.out()).contains(problems + " errors").hasLineCount((int) problems + 1);
        assertThat(check.exitCode()).isEqualTo(1);
    }

    @Test
    void warningsArePrintedAndTheFilePasses() throws IOException {
        Path file = write(GOOD + GOOD.substring(0, GOOD.indexOf("- id: login")).replace("get-product", "again"));
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out().lines()).hasSize(2);
        assertThat(check.out()).startsWith("warning: " + file + ":18:").contains("\nOK ", "; 1 warning");
        assertThat(check.exitCode()).isZero();
    }

    @Test
    void errorsAndWarningsAreCountedApart() throws IOException {
        Path file =
                write(GOOD + GOOD.substring(0, GOOD.indexOf("- id: reports")).replace("id: get-product", "id: again"));
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out()).containsPattern("(?m)^1 error, 2 warnings$");
        assertThat(check.exitCode()).isEqualTo(1);
    }

    /**
     * Names of files, of keys and of values: on a terminal, an escape character could hide or fake what stands there.
     */
    @Test
    void nothingThatATerminalObeysIsPrinted() throws IOException {
        Path odd = directory.resolve("limits\u001b[2J.yml");
        Files.writeString(odd, GOOD);
        String good = Invocation.of("check", odd.toString()).out();
        assertThat(good).contains("OK ", "limits\\u001b[2J.yml").doesNotContain("\u001b");
        Files.writeString(odd, "\"\\e[2Ja\": { b: 1 }\nheaders: { \"\\e[3J\": \"\\e[4J\" }\nendpoints: []\n");
        String bad = Invocation.of("check", odd.toString()).out();
        assertThat(bad).contains("limits\\u001b[2J.yml:", "\\u001b[2Ja").doesNotContain("\u001b");
        Invocation missing =
                Invocation.of("check", directory.resolve("\u001b[2J").toString());
        assertThat(missing.out() + missing.err()).contains("\\u001b[2J").doesNotContain("\u001b");
        Invocation wrong = Invocation.of("check", odd.toString(), "\u001b[2J");
        assertThat(wrong.err()).contains("\\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void aMissingFileIsOneProblem() {
        Path file = directory.resolve("absent.yml");
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out())
                .contains(file + ": there is no such file [SL-101]")
                .contains("1 error");
        assertThat(check.exitCode()).isEqualTo(1);
    }

    @Test
    void standardInputIsCheckedLikeAFile() throws IOException {
        assertThat(checkStandardInput(GOOD).out()).startsWith("OK standard input: 2 endpoints");
        Invocation broken = checkStandardInput(GOOD.replace("10s", "10 mins"));
        assertThat(broken.out()).startsWith("standard input:5:");
        assertThat(broken.exitCode()).isEqualTo(1);
    }

    @Test
    void aHugeFileIsRefusedUnread() throws IOException {
        Path file = directory.resolve("huge.yml");
        try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(50_000_000);
        }
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out()).contains("the file is larger than ").contains("1 error");
        assertThat(check.exitCode()).isEqualTo(1);
    }

    @Test
    void resolversOfTheApplicationCanBeNamed() throws IOException {
        Path file = write("subjects: { tenant: [ api-key, ip ] }\nendpoints:\n" + GOOD.indent(2));
        assertThat(Invocation.of("check", file.toString()).out())
                .contains("\"api-key\"")
                .contains("If the application registers a resolver with such a name, add --resolver NAME.")
                .contains("1 error");
        Invocation named = Invocation.of("check", "--resolver", "api-key", file.toString());
        assertThat(named.out()).startsWith("OK ");
    }

    private static Invocation checkStandardInput(String text) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(UTF_8)));
        try {
            return Invocation.of("check", "-");
        } finally {
            System.setIn(before);
        }
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("rate-limits.yml"), text);
    }
}
