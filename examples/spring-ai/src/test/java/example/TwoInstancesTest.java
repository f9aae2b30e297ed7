package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;

/** Two instances of the assistant, which share the budgets through a Redis. */
@Timeout(120)
class TwoInstancesTest {

    private static final int CALLERS = 20;
    private static final int WORDS = 200;

    private static ModelServer model;
    private static RedisServer redis;
    private static final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        model = new ModelServer();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            redis = RedisServer.newRedisServer()
                    .bind("127.0.0.1")
                    .port(free.getLocalPort())
                    .build();
        }
        redis.start();
        for (int i = 0; i < 2; i++) {
            instances.add(new SpringApplicationBuilder(AssistantApplication.class)
                    .run(
                            "--server.port=0",
                            "--server.address=127.0.0.1",
                            "--OPENAI_BASE_URL=" + model.url(),
                            "--sluice.store=redis://127.0.0.1:" + redis.ports().get(0)));
        }
    }

    @AfterAll
    static void stop() throws IOException {
        instances.forEach(ConfigurableApplicationContext::close);
        redis.stop();
        model.close();
    }

    /** The number of tokens that a user has used by calling both instances, at once or one after the other. */
    private static long used(String user, int threads) throws Exception {
        long before = model.used();
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            AssistantController assistant = instances.get(i % 2).getBean(AssistantController.class);
            answers.add(callers.submit(() -> assistant.ask("count to " + WORDS, user, "team of " + user)));
        }
        for (Future<String> answer : answers) {
            try {
                answer.get();
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(RateLimitedException.class);
            }
        }
        callers.shutdown();
        return model.used() - before;
    }

    /** Tries with several users, because a minute may end between the calls of one. */
    @Test
    void neverUseMoreThanTheBudgetTogether() throws Exception {
        List<Long> inParallel = new ArrayList<>();
        List<Long> inTurn = new ArrayList<>();
        for (String user : List.of("ann", "bob", "cem")) {
            inParallel.add(used(user + " in parallel", CALLERS));
            inTurn.add(used(user + " in turn", 1));
        }
        assertThat(inParallel).anyMatch(used -> used > 0 && used <= 2000);
        assertThat(inTurn).contains(9L * (ModelServer.PROMPT_TOKENS + WORDS));
    }
}
