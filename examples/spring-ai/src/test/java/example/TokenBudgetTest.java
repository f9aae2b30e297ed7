package example;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.RateLimitedException;
import dev.sluice.test.LimitsUnderTest;
import dev.sluice.test.spring.AutoConfigureSluice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.ai.tokenizer.JTokkitTokenCountEstimator;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import reactor.core.publisher.Flux;

/** The budgets of one instance, with a model that reports its use. */
@SpringBootTest
@Timeout(120)
@AutoConfigureMockMvc
@AutoConfigureSluice
class TokenBudgetTest {

    private static final long USER = 2000;
    private static final long TEAM = 5000;
    private static final long LONGEST_ANSWER = 200;

    private static ModelServer model;

    @Autowired
    AssistantController assistant;

    @Autowired
    MockMvcTester mvc;

    @Autowired
    LimitsUnderTest limits;

    @BeforeAll
    static void startModel() throws IOException {
        model = new ModelServer();
    }

    @AfterAll
    static void stopModel() {
        model.close();
    }

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("OPENAI_BASE_URL", () -> model.url());
        registry.add("spring.ai.openai.max-retries", () -> "0");
    }

    private String ask(String question) {
        return assistant.ask(question, "ann", "blue");
    }

    private Flux<String> stream(String question) {
        return assistant.stream(question, "ann", "blue");
    }

    private long leftOfUser() {
        return limits.remaining("tokens-of-user", "user=ann");
    }

    private long leftOfTeam() {
        return limits.remaining("tokens-of-team", "team=blue");
    }

    /** Waits in real time, because a stream ends on another thread. */
    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("the time until it holds").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void anAnswerCostsWhatTheModelSays() {
        assertThat(ask("count to 50")).isEqualTo(" one".repeat(50) + "\n");

        assertThat(leftOfUser()).isEqualTo(USER - ModelServer.PROMPT_TOKENS - 50);
        assertThat(leftOfTeam()).isEqualTo(TEAM - ModelServer.PROMPT_TOKENS - 50);
    }

    /** Each call reserves a little more than 200 tokens, so nine fit at once, whatever their order. */
    @Test
    void callsAtOnceNeverUseMoreThanTheBudget() throws Exception {
        int askedBefore = model.asked();
        long usedBefore = model.used();
        model.hold();
        ExecutorService callers = Executors.newFixedThreadPool(20);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(callers.submit(() -> ask("count to 200")));
        }
        await(() -> answers.stream().filter(Future::isDone).count() == 11);
        await(() -> model.asked() == askedBefore + 9);
        assertThat(leftOfUser()).isBetween(0L, LONGEST_ANSWER);
        model.open();

        int refused = 0;
        for (Future<String> answer : answers) {
            try {
                assertThat(answer.get()).hasSize(" one".length() * 200 + 1);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(RateLimitedException.class);
                refused++;
            }
        }
        callers.shutdown();
        assertThat(refused).isEqualTo(11);
        assertThat(model.used() - usedBefore).isEqualTo(9 * (ModelServer.PROMPT_TOKENS + 200));
        assertThat(leftOfUser()).isEqualTo(USER - (model.used() - usedBefore));
    }

    @Test
    void aFailedCallCostsNothing() {
        assertThatThrownBy(() -> ask("fail")).hasMessageContaining("failed by a test");
        assertThatThrownBy(() -> stream("fail").blockLast()).hasMessageContaining("failed by a test");

        assertThat(leftOfUser()).isEqualTo(USER);
        assertThat(leftOfTeam()).isEqualTo(TEAM);
    }

    @Test
    void aStreamCostsWhatTheModelSays() throws Exception {
        List<String> words = stream("count to 50").collectList().block();

        assertThat(String.join("", words)).isEqualTo(" one".repeat(50));
        await(() -> leftOfUser() == USER - ModelServer.PROMPT_TOKENS - 50);
        assertThat(leftOfTeam()).isEqualTo(TEAM - ModelServer.PROMPT_TOKENS - 50);
    }

    /** A reader that leaves pays for the prompt and the words that it has received, not for the estimate. */
    @Test
    void aStreamThatItsReaderLeavesGivesBackWhatItDidNotUse() throws Exception {
        int leftBefore = model.streamsLeft();
        assertThat(stream("count for ever").take(5).collectList().block()).hasSize(5);

        await(() -> model.streamsLeft() == leftBefore + 1);
        await(() -> leftOfUser() > USER - LONGEST_ANSWER);
        assertThat(leftOfUser()).isBetween(USER - 30, USER - 5);
        assertThat(leftOfTeam()).isEqualTo(TEAM - USER + leftOfUser());
    }

    /** The received words are used. Only the remaining estimate is given back. */
    @Test
    void aStreamThatBreaksPaysForWhatCame() throws Exception {
        assertThatThrownBy(() -> stream("break").blockLast()).isNotNull();

        await(() -> leftOfUser() > USER - LONGEST_ANSWER);
        assertThat(leftOfUser()).isBetween(USER - 30, USER - 5);
    }

    /** The model ignores the limit on the length of the answer, and continues to talk. */
    @Test
    void aStreamStopsWhenNothingRemains() throws Exception {
        int leftBefore = model.streamsLeft();
        List<String> words = stream("count for ever").collectList().block();

        assertThat(words.get(words.size() - 1)).isEqualTo("[The budget tokens-of-user of 1m is used up]");
        assertThat(words).hasSizeBetween((int) USER - 20, (int) USER + 1);
        await(() -> model.streamsLeft() == leftBefore + 1);
        assertThat(leftOfUser()).isZero();
        assertThat(leftOfTeam()).isEqualTo(TEAM - USER);
        assertThatThrownBy(() -> ask("count to 1")).isInstanceOf(RateLimitedException.class);
    }

    /** Nothing remains after the last word, but the end of the answer is still to come. */
    @Test
    void aStreamThatUsesTheBudgetUpIsComplete() throws Exception {
        int count = (int) USER - new JTokkitTokenCountEstimator().estimate("count to 1995");

        List<String> words = stream("count to " + count).collectList().block();

        assertThat(words).hasSize(count).containsOnly(" one");
        await(() -> leftOfUser() == 0);
    }

    @Test
    void aTeamHasABudgetOfItsOwn() {
        for (String user : List.of("ann", "bob", "cem")) {
            for (int call = 0; call < 8 && limits.remaining("tokens-of-team", "team=blue") > 240; call++) {
                assistant.ask("count to 200", user, "blue");
            }
        }
        assertThat(leftOfTeam()).isBetween(0L, 240L);

        assertThatThrownBy(() -> assistant.ask("count to 200", "dan", "blue"))
                .isInstanceOf(RateLimitedException.class)
                .hasMessage("Refused by tokens-of-team, tier 1m; try again in 60 s");
        assertThat(limits).hasRemaining(USER, "tokens-of-user", "user=dan"); // a refused call takes nothing
        assistant.ask("count to 200", "dan", "green");
    }

    @Test
    void aMonthHasABudgetToo() {
        long used = 0;
        while (used + ModelServer.PROMPT_TOKENS + 1700 <= 100_000) { // nearly all of each minute
            ask("count to 1700");
            used += ModelServer.PROMPT_TOKENS + 1700;
            limits.clock().advance(Duration.ofMinutes(1));
        }
        ask("count to 200");
        assertThatThrownBy(() -> ask("count to 200"))
                .isInstanceOf(RateLimitedException.class)
                .hasMessageContaining("tokens-of-user, tier month; try again in ");
        limits.clock().advance(Duration.ofDays(31));
        ask("count to 200");
    }

    @Test
    void aRefusedCallIsAnsweredWithTheSeconds() {
        limits.exhaust("tokens-of-user", "user=ann"); // the month's too

        assertThat(mvc.get()
                        .uri("/ask?question=count to 5")
                        .header("X-User", "ann")
                        .header("X-Team", "blue"))
                .hasStatus(429)
                .hasHeader("Retry-After", String.valueOf(Duration.ofDays(31).toSeconds()));
    }

    @Test
    void theModelReadsThatItsToolIsRefused() {
        for (int call = 0; call < 2; call++) {
            assertThat(ask("weather")).isEqualTo("The tool says: \"It will be sunny in Paris.\"\n");
        }
        assertThat(ask("weather"))
                .isEqualTo("The tool says: Refused by forecast, tier 1m; try again in 60 s\n");
        assertThat(leftOfUser()).as("two calls a question").isEqualTo(USER - 6 * 30);
    }
}
