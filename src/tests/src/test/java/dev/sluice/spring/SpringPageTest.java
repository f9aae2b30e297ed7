package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.spring.RunningApplication.Caller;
import dev.sluice.spring.start.LimitsFailureAnalyzer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples in {@code docs/spring.md} are real. */
@Timeout(300)
@Tag("server")
@Tag("docs")
class SpringPageTest {

    private static final Pattern CURL =
            Pattern.compile("curl(?: -X (\\w+))?(?: -H '[^']*')? '?localhost:8080([^\\s']*)'?"
                    + "(?: \\\\\\n +-d '([^']*)')?\\n(?:# (.*)\\n)?");

    @TempDir
    private Path directory;

    private static List<String> snippets(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(Path.of("docs/spring.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private String inProperties(String properties) throws IOException {
        return "spring.config.import=file:" + Files.writeString(directory.resolve("application.yml"), properties);
    }

    @Test
    void theFirstFileInTheDocumentationIsEnough() throws IOException {
        Path file = Files.writeString(
                directory.resolve("limits.yml"), snippets("yaml").get(0));
        try (RunningApplication shop = RunningApplication.start(SecuredShops.Form.class, "sluice.config=" + file)) {
            Caller ann = shop.caller();
            assertThat(ann.postForm("/login", "username=ann&password=right").statusCode())
                    .isEqualTo(302);
            assertThat(ann.get("/api/orders").headers().allValues("x-ratelimit-limit"))
                    .containsExactly("600");
            assertThat(wrongPasswords(shop))
                    .as("five, and twice that if a window ends in between")
                    .isBetween(5, 10);
        }
    }

    /** The number of calls that pass until one is refused. */
    private static int wrongPasswords(RunningApplication shop) {
        int passed = 0;
        while (passed <= 10 && wrongPassword(shop).statusCode() == 302) {
            passed++;
        }
        return passed;
    }

    private static HttpResponse<String> wrongPassword(RunningApplication shop) {
        return shop.caller().postForm("/login", "username=ann&password=wrong");
    }

    @Test
    void limitsInPropertiesWork() throws IOException {
        try (RunningApplication shop = RunningApplication.start(
                Shop.class, inProperties(snippets("text").get(0)))) {
            assertThat(shop.get("/api/orders").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("600");
        }
    }

    @Test
    void aMistakeIsShownAsDocumented() throws IOException {
        String mistaken = snippets("text").get(0).replace("period: 1m", "period: 1 min");
        Throwable failure = catchThrowable(() -> RunningApplication.start(Shop.class, inProperties(mistaken)));
        var analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(snippets("text").get(1))
                .endsWith("Description:\n\n" + analysis.getDescription() + "\n\nAction:\n\n" + analysis.getAction()
                        + "\n");
    }

    @Test
    void limitsOfClientsCanBeSetAndRemovedThroughTheActuator() throws IOException {
        List<MatchResult> commands =
                CURL.matcher(snippets("sh").get(0)).results().toList();
        assertThat(commands).hasSize(5);
        try (RunningApplication shop = RunningApplication.start(
                Shop.class,
                inProperties(snippets("text").get(0)),
                "management.endpoints.web.exposure.include=health,ratelimits",
                "management.endpoint.ratelimits.access=unrestricted")) {
            shop.get("/api/orders", "X-Org-Id", "acme");
            for (MatchResult command : commands) {
                HttpResponse<String> answer = answer(shop.caller(), command);
                assertThat(answer.statusCode()).as(command.group()).isEqualTo(200);
                String shown = command.group(4);
                if (shown != null) {
                    assertThat(answer.body()).as(command.group()).isEqualTo(shown);
                }
            }
        }
    }

    private static HttpResponse<String> answer(Caller operator, MatchResult command) {
        String path = command.group(2);
        return switch (command.group(1) == null ? "GET" : command.group(1)) {
            case "POST" -> operator.post(path, "application/json", command.group(3));
            case "DELETE" -> operator.delete(path);
            default -> operator.get(path);
        };
    }
}
