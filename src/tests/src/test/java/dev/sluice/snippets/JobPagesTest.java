package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.ServedFile;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.snippets.ShellBlock.Step;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A reader that follows a page of {@code docs/jobs} sees the output that it shows. The pages with a server of their own
 * are followed by {@code .ci/steps/examples}; here they have to show the files of their examples.
 */
@Timeout(120)
@Tag("store")
@Tag("docs")
class JobPagesTest {

    private static final Path PAGES = Path.of("docs", "jobs");
    private static final String STORE = "redis://localhost:6379";
    private static final Pattern COMMAND_LINE =
            Pattern.compile("(?:echo (\\S+) \\| )?java -jar target/sluice-cli.jar (.*)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "logins.md, examples/logins/src/main/resources/rate-limits.yml",
        "gateway.md, examples/gateway/src/main/resources/rate-limits.yml",
        "war.md, examples/web-xml/src/main/webapp/WEB-INF/rate-limits.yml"
    })
    void showTheFileOfTheExampleThatTheyRun(String page, Path file) {
        assertThat(of(page, "yaml").map(Snippet::text)).contains(Snippet.read(file));
    }

    @Test
    void aWarShowsTheFilterOfItsExample() {
        String example = Snippet.read(Path.of("examples/web-xml/src/main/webapp/WEB-INF/web.xml"))
                .replaceAll("(?s) *<init-param>.*?</init-param>\n", "")
                .replaceAll("(?m)^  ", "");
        String shown = of("war.md", "xml")
                .map(Snippet::text)
                .filter(xml -> xml.startsWith("<filter>"))
                .findFirst()
                .orElseThrow();
        assertThat(example).contains(shown);
    }

    @Test
    void plansAreTriedAsTheirPageSays() throws Exception {
        Path file = firstYamlOf("plans.md", "plans.yml");
        try (ServedFile served = new ServedFile(file.toString())) {
            for (Step step : steps("plans.md")) {
                assertShows(step, step.command().startsWith("curl") ? bash(step, served) : commandLine(step, ""));
            }
        }
    }

    @Test
    void aMonthlyQuotaIsTriedAsItsPageSays() throws Exception {
        Path file = firstYamlOf("monthly-quota.md", "quota.yml");
        List<Step> steps = steps("monthly-quota.md");
        assertThat(steps).hasSize(4);
        try (ServedFile served = new ServedFile(file.toString())) {
            assertShows(steps.get(0), bash(steps.get(0), served));
            assertShows(steps.get(1), bash(steps.get(1), served));
            Files.writeString(file, Files.readString(file).replace("threshold: 3", "threshold: 10000"));
            Eventually.await("the larger quota", () -> limit(served).equals("10000"));
            // the calls of this test count too
            assertThat(bash(steps.get(2), served)).matches("x-ratelimit-remaining: 99[89]\\d");
        }
        try (RedisServer redis = RedisServer.open("--appendonly", "yes")) {
            String uri = redis.patientUri();
            try (ServedFile served = new ServedFile(file.toString(), "--store", uri)) {
                for (int call = 0; call < 3; call++) {
                    limit(served);
                }
            }
            redis.stop();
            redis.start();
            try (ServedFile served = new ServedFile(file.toString(), "--store", uri)) {
                assertThat(served.port()).isPositive();
                // the month ends whenever it does
                String shown = steps.get(3).output().replaceAll("(full reset in) .*", "$1 …");
                Eventually.await(
                        () -> shown + "\nand not\n" + commandLine(steps.get(3), uri),
                        () -> commandLine(steps.get(3), uri)
                                .replaceAll("(full reset in) .*", "$1 …")
                                .equals(shown));
            }
        }
    }

    private static String limit(ServedFile served) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + "/api/orders"))
                .header("X-Org-Id", "acme")
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .headers()
                    .firstValue("x-ratelimit-limit")
                    .orElse("none");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Path firstYamlOf(String page, String name) throws Exception {
        return Files.writeString(
                directory.resolve(name),
                of(page, "yaml").findFirst().orElseThrow().text());
    }

    private static Stream<Snippet> of(String page, String language) {
        return Snippet.in(language).stream().filter(snippet -> snippet.page().equals(PAGES.resolve(page)));
    }

    /** The commands whose output the page shows. */
    private static List<Step> steps(String page) {
        return ShellBlock.all()
                .filter(block -> block.snippet().page().equals(PAGES.resolve(page)))
                .flatMap(block -> block.steps().stream())
                .filter(step -> !step.output().isEmpty())
                .toList();
    }

    private static void assertShows(Step step, String printed) {
        assertThat(ShownOutput.matches(step.output(), printed))
                .as("%s%nshows%n%s%nbut prints%n%s", step.command(), step.output(), printed)
                .isTrue();
    }

    private static String bash(Step step, ServedFile served) throws Exception {
        String script = step.command().replace("127.0.0.1:8080", "127.0.0.1:" + served.port());
        Process process = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Runs the command line in this JVM, with the files and the store of this test. */
    private String commandLine(Step step, String store) {
        Matcher command = COMMAND_LINE.matcher(step.command());
        assertThat(command.matches()).as(step.command()).isTrue();
        String[] arguments = new Step(command.group(2), "")
                .words().stream()
                        .map(word ->
                                word.endsWith(".yml") ? directory.resolve(word).toString() : word)
                        .map(word -> word.equals(STORE) ? store : word)
                        .toArray(String[]::new);
        InputStream input = System.in;
        try {
            if (command.group(1) != null) {
                System.setIn(new ByteArrayInputStream((command.group(1) + "\n").getBytes(StandardCharsets.UTF_8)));
            }
            Invocation run = Invocation.of(arguments);
            return (run.out() + run.err()).replace(directory + "/", "").strip();
        } finally {
            System.setIn(input);
        }
    }
}
