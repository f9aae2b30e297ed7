package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlets;
import static dev.sluice.internal.servlet.contract.SmallApplication.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.servlet.SluiceCustomizer;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the filter starts from a file, or prevents the start of the application; the same in every container. */
@Tag("server")
public abstract class StartContract {

    private static final String LIMIT = "x-ratelimit-limit";
    private static final String REMAINING = "x-ratelimit-remaining";

    private final WebServer.Make make;
    private WebServer server;

    public StartContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    private void start(Application application) throws Exception {
        server = make.start(application);
    }

    private static final String ONE_CALL = """
        endpoints:
          - { id: hello, pathPattern: /hello, per: [], tiers: [ { period: 366d, threshold: 1 } ] }
        """;

    private static final String TWO_GETS = """
        endpoints:
          - { id: hello, methods: [ GET ], pathPattern: /hello, per: [], tiers: [ { period: 366d, threshold: 2 } ] }
        """;

    private static final String TWO_MISTAKES = """
        endpoints:
          - { id: hello, pathPatern: /hello, tiers: [ { period: 10 mins, threshold: 1 } ] }
        """;

    private static Application configuredBy(String config) {
        return Application.at("", (classes, context) -> {
            register(context, "limits", config);
            addServlets(context);
        });
    }

    private static FilterRegistration.Dynamic register(ServletContext context, String name, String config) {
        FilterRegistration.Dynamic registration = context.addFilter(name, RateLimitFilter.class);
        if (config != null) {
            registration.setInitParameter("config", config);
        }
        map(registration, "/*");
        return registration;
    }

    private void assertAdmitsOneCall() {
        assertThat(RawHttp.get(server, "/hello").header(REMAINING)).isEqualTo("0");
        assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(429);
    }

    @Test
    void thatTheInitParamNames(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), ONE_CALL);
        start(configuredBy(file.toString()));
        assertAdmitsOneCall();
    }

    @Test
    void thatTheInitParamNamesWithinTheApplication(@TempDir Path root) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("WEB-INF")).resolve("limits.yml"), ONE_CALL);
        start(configuredBy("/WEB-INF/limits.yml").rootedAt(root));
        assertAdmitsOneCall();
    }

    @Test
    void inTheDefaultPlace(@TempDir Path root) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("WEB-INF")).resolve("rate-limits.yml"), ONE_CALL);
        start(configuredBy(null).rootedAt(root));
        assertAdmitsOneCall();
    }

    @Test
    void countsHeadAsGet(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), TWO_GETS);
        start(configuredBy(file.toString()));
        assertThat(RawHttp.send(server, "HEAD", "/hello").header(REMAINING)).isEqualTo("1");
        assertThat(RawHttp.get(server, "/hello").header(REMAINING)).isEqualTo("0");
        assertThat(RawHttp.send(server, "HEAD", "/hello").status()).isEqualTo(429);
        assertThat(RawHttp.send(server, "POST", "/hello").headers(LIMIT)).isEmpty();
    }

    @Test
    void closesTheLimiterThatItHasOpened(@TempDir Path directory) throws Exception {
        Set<Thread> before = threadsOfSluice();
        Path file = Files.writeString(directory.resolve("limits.yml"), ONE_CALL);
        start(configuredBy(file.toString()));
        Set<Thread> opened = threadsOfSluice();
        opened.removeAll(before);
        assertThat(opened).isNotEmpty();
        server.close();
        server = null;
        for (Thread thread : opened) {
            thread.join(10_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    /** Keeps the application from starting. */
    public static final class Failing implements Filter {

        @Override
        public void init(FilterConfig config) throws ServletException {
            throw new ServletException("meant to fail");
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {}
    }

    @Test
    public void closesTheLimiterThatItHasOpenedIfAnotherFilterFails(@TempDir Path directory) throws Exception {
        Set<Thread> before = threadsOfSluice();
        Path file = Files.writeString(directory.resolve("limits.yml"), ONE_CALL);
        assertThatThrownBy(() -> start(Application.at("", (classes, context) -> {
                    register(context, "limits", file.toString());
                    map(context.addFilter("more-limits", Failing.class), "/*");
                })))
                .hasStackTraceContaining("meant to fail");
        Eventually.await(() -> "no more than " + before, () -> before.containsAll(threadsOfSluice()));
    }

    private Set<Thread> threadsOfSluice() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith("sluice"));
        return threads;
    }

    @Test
    void doesNotStartWithABrokenFileAndListsAllMistakes(@TempDir Path root) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("WEB-INF")).resolve("limits.yml"), TWO_MISTAKES);
        assertThatThrownBy(() -> start(configuredBy("/WEB-INF/limits.yml").rootedAt(root)))
                .hasStackTraceContaining("/WEB-INF/limits.yml:2:")
                .hasStackTraceContaining("pathPatern")
                .hasStackTraceContaining("10 mins");
    }

    @Test
    void doesNotStartWithoutAFile(@TempDir Path root) {
        assertThatThrownBy(() -> start(configuredBy("/WEB-INF/limits.yml").rootedAt(root)))
                .hasStackTraceContaining("/WEB-INF/limits.yml");
    }

    @Test
    void doesNotStartWithAnUnknownInitParam() {
        assertThatThrownBy(() -> start(Application.at("", (classes, context) -> {
                    FilterRegistration.Dynamic registration = context.addFilter("limits", RateLimitFilter.class);
                    registration.setInitParameter("confg", "limits.yml");
                    map(registration, "/*");
                })))
                .hasStackTraceContaining("filter limits: init-param \"confg\" is unknown; expected: config");
    }

    private static final String PER_LEVEL = """
        endpoints:
          - { id: hello, pathPattern: /hello, per: [ level ], tiers: [ { period: 366d, threshold: 1 } ] }
        """;

    @Nested
    class WithPartsOfTheApplication {

        @TempDir
        private Path directory;

        /** The answer to the first refused call, with a file that begins with these lines. */
        private RawHttp.Answer refusal(String reject) throws Exception {
            Path file = Files.writeString(directory.resolve("limits.yml"), reject + '\n' + ONE_CALL);
            start(configuredBy(file.toString()));
            assertAdmitsOneCall();
            return RawHttp.get(server, "/hello");
        }

        private static String inUtf8(String body) {
            return new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }

        @Test
        void refusesWithTheTemplateInTheFile() throws Exception {
            RawHttp.Answer refusal =
                    refusal("reject: { contentType: application/json, body: '{\"é\":{retryAfter},\"at\":{path}}' }");
            assertThat(refusal.header("Content-Type")).isEqualTo("application/json");
            assertThat(inUtf8(refusal.body()))
                    .isEqualTo("{\"é\":" + refusal.header("Retry-After") + ",\"at\":\"/hello\"}");
        }

        @Test
        void sendsTheCharsetOfAPage() throws Exception {
            RawHttp.Answer refusal = refusal("reject: { contentType: text/html, body: '<p>zu viele ☃' }");
            assertThat(refusal.header("Content-Type").replace(" ", ""))
                    .isEqualToIgnoringCase("text/html;charset=utf-8");
            assertThat(inUtf8(refusal.body())).isEqualTo("<p>zu viele ☃");
        }

        @Test
        void usesTheClassesThatInitParamsName() throws Exception {
            Path file = Files.writeString(directory.resolve("limits.yml"), PER_LEVEL);
            start(Application.at("", (classes, context) -> {
                FilterRegistration.Dynamic registration = register(context, "limits", file.toString());
                registration.setInitParameter("refusalHandler", Teapot.class.getName());
                registration.setInitParameter("customizer", ' ' + Plans.class.getName());
                addServlets(context);
            }));
            assertThat(RawHttp.get(server, "/hello").header(REMAINING)).isEqualTo("0");
            assertThat(RawHttp.get(server, "/hello").body()).isEqualTo("short and stout");
        }

        @Test
        void usesInstancesInTheServletContext() throws Exception {
            Path file = Files.writeString(directory.resolve("limits.yml"), PER_LEVEL);
            start(Application.at("", (classes, context) -> {
                context.setAttribute(RefusalHandler.class.getName(), new Teapot());
                context.setAttribute(SluiceCustomizer.class.getName(), new Plans());
                register(context, "limits", file.toString());
                addServlets(context);
            }));
            assertThat(RawHttp.get(server, "/hello").header(REMAINING)).isEqualTo("0");
            assertThat(RawHttp.get(server, "/hello").body()).isEqualTo("short and stout");
        }

        @Test
        void prefersInitParamsToTheServletContext() throws Exception {
            Path file = Files.writeString(directory.resolve("limits.yml"), PER_LEVEL);
            start(Application.at("", (classes, context) -> {
                RefusalHandler other = (request, response, decision) ->
                        response.getOutputStream().print("other words");
                SluiceCustomizer everyQuery = limiter -> limiter.resolver("level", call -> call.query("level"));
                context.setAttribute(RefusalHandler.class.getName(), other);
                context.setAttribute(SluiceCustomizer.class.getName(), everyQuery);
                FilterRegistration.Dynamic registration = register(context, "limits", file.toString());
                registration.setInitParameter("refusalHandler", Teapot.class.getName());
                registration.setInitParameter("customizer", Plans.class.getName());
                addServlets(context);
            }));
            assertThat(RawHttp.get(server, "/hello?level=1").header(REMAINING)).isEqualTo("0");
            assertThat(RawHttp.get(server, "/hello?level=2").body()).isEqualTo("short and stout");
        }
    }

    /** An application's own refusal handler. */
    public static final class Teapot implements RefusalHandler {

        @Override
        public void refuse(HttpServletRequest request, HttpServletResponse response, Decision decision)
                throws IOException {
            response.getOutputStream().print("short and stout");
        }
    }

    /** An application's own resolver. */
    public static final class Plans implements SluiceCustomizer {

        @Override
        public void customize(Sluice.Builder limiter) {
            limiter.resolver("level", call -> "gold");
        }
    }

    @Nested
    class BesideAnother {

        @TempDir
        private Path directory;

        private Path write(String name, String text) throws IOException {
            return Files.writeString(directory.resolve(name), text);
        }

        private List<String> warnings(Application application) throws Exception {
            try (ErrorOutput log = new ErrorOutput()) {
                start(application);
                RawHttp.get(server, "/hello");
                return log.lines().stream()
                        .filter(line -> line.contains("is counted twice"))
                        .toList();
            }
        }

        @Test
        void warnsAtTheStartThatBothCount() throws Exception {
            Path file = write("limits.yml", ONE_CALL);
            Path copy = write("copy.yml", ONE_CALL);
            try (Sluice inCode = Sluice.open(copy.toString())) {
                List<String> warnings = warnings(Application.at("", (classes, context) -> {
                    register(context, "limits", file.toString());
                    addFilter(context, "more-limits", new RateLimitFilter(inCode), "/*");
                    addServlets(context);
                }));
                String of = "Filter limits has its own limiter (" + file + ")";
                String and = "Filter more-limits has its own limiter (" + copy + ")";
                assertThat(warnings)
                        .singleElement()
                        .asString()
                        .containsAnyOf(of, and) // containers start them in any order
                        .endsWith(
                                " Both limit hello, so a call that passes both filters is counted twice. Register only"
                                        + " one of them, in web.xml or in code, or give both the same Sluice.")
                        .contains("and so does filter ", file.toString(), copy.toString());
            }
        }

        @Test
        void doesNotWarnIfTheOtherLimitsOtherEndpoints() throws Exception {
            Path file = write("limits.yml", ONE_CALL);
            Path other = write("other.yml", ONE_CALL.replace("id: hello", "id: other"));
            assertThat(warnings(Application.at("", (classes, context) -> {
                        register(context, "limits", file.toString());
                        register(context, "more-limits", other.toString());
                        addServlets(context);
                    })))
                    .isEmpty();
        }

        @Test
        void doesNotWarnIfBothAskOneLimiter() throws Exception {
            try (Sluice shared = Sluice.open(write("limits.yml", ONE_CALL).toString())) {
                assertThat(warnings(Application.at("", (classes, context) -> {
                            addFilter(context, "limits", new RateLimitFilter(shared), "/*");
                            addFilter(context, "more-limits", new RateLimitFilter(shared), "/*");
                            addServlets(context);
                        })))
                        .isEmpty();
            }
        }
    }
}
