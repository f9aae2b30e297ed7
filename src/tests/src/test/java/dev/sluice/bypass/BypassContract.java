package dev.sluice.bypass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * However a caller writes a path, the call is counted at the endpoint that the application has served. Servers and
 * their settings differ in the paths that they serve. No call may be served uncounted.
 *
 * <p>A longer run: {@code mvn test -Dtest='*BypassTest' -Dsluice.bypass.paths=100000 -Dsluice.bypass.seed=7}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
abstract class BypassContract {

    private static final int PATHS = Integer.getInteger("sluice.bypass.paths", 100);
    private static final long SEED = Long.getLong("sluice.bypass.seed", 1);

    private final List<Container> containers;

    BypassContract(List<Container> containers) {
        this.containers = containers;
    }

    /** The kinds of applications behind the filter. */
    enum Behind {
        SERVLETS,
        SPRING_MVC,
        SPRING_MVC_BY_ANT_PATH_MATCHER;

        void addTo(ServletContext context) {
            switch (this) {
                case SERVLETS -> ServletApplication.addTo(context);
                case SPRING_MVC -> SpringApplication.addTo(context, SpringApplication.Settings.class);
                case SPRING_MVC_BY_ANT_PATH_MATCHER ->
                    SpringApplication.addTo(context, SpringApplication.OlderSettings.class);
            }
        }
    }

    /** The protocols of callers. */
    enum Protocol {
        HTTP_1,
        HTTP_2;

        List<Sent> all(List<Attack> attacks, boolean isAtRoot) {
            List<Sent> all = new ArrayList<>(attacks.stream()
                    .map(this == HTTP_1 ? Attack::overHttp1 : Attack::overHttp2)
                    .toList());
            if (isAtRoot) {
                all.addAll(this == HTTP_1 ? Corpus.connections() : Corpus.fields());
            }
            return all;
        }
    }

    Stream<Arguments> servers() {
        List<Arguments> all = new ArrayList<>();
        for (Container container : containers) {
            for (Behind behind : Behind.values()) {
                for (String contextPath : List.of("", "/app")) {
                    all.add(Arguments.of(container, behind, contextPath, Protocol.HTTP_1));
                    // what a protocol changes in a path is the same for Spring MVC, wherever it is mounted
                    if (behind == Behind.SERVLETS || (behind == Behind.SPRING_MVC && contextPath.isEmpty())) {
                        all.add(Arguments.of(container, behind, contextPath, Protocol.HTTP_2));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void nobodyGetsAroundALimit(Container container, Behind behind, String contextPath, Protocol protocol)
            throws Exception {
        List<Attack> attacks = new ArrayList<>(Corpus.at(contextPath));
        if (!contextPath.isEmpty() && behind == Behind.SERVLETS) { // Spring MVC serves none that is not written plainly
            attacks.addAll(Corpus.atOddContexts());
        }
        attacks.addAll(madeUp(contextPath));
        try (Watch watch = new Watch();
                WebServer server = container.make().start(application(contextPath, behind, watch))) {
            assertAllAreCounted(protocol.all(attacks, contextPath.isEmpty()), server, watch, attacks.size() / 20);
        }
    }

    static List<Attack> madeUp(String contextPath) {
        PathFuzzer fuzzer = new PathFuzzer(SEED, contextPath);
        return IntStream.range(0, PATHS)
                .mapToObj(path -> Attack.get(fuzzer.next()))
                .toList();
    }

    /** Sends all attacks, and checks that each was counted at the endpoint that the application has served. */
    static void assertAllAreCounted(List<Sent> attacks, WebServer server, Watch watch, int leastLimited) {
        List<String> around = new ArrayList<>();
        int limited = 0;
        for (Sent sent : attacks) {
            watch.beginAnew();
            List<Set<String>> all = served(server, sent);
            if (all.size() > watch.calls()) {
                around.add(sent.text() + " was served as " + all + " and counted as " + watch.calls() + " calls");
            }
            for (Set<String> served : all) {
                limited += isLimited(served) ? 1 : 0;
                String unaware = watch.unaware(served);
                if (unaware != null) {
                    around.add(sent.text() + " was served as " + served + " and not counted by " + unaware);
                }
            }
        }
        assertThat(around).as("seed " + SEED).isEmpty();
        assertThat(limited).as("attacks that reached what is limited").isGreaterThan(leastLimited);
    }

    private static Application application(String contextPath, Behind behind, Watch watch) {
        return Application.at(contextPath, (classes, context) -> {
            FilterRegistration.Dynamic filter = context.addFilter("limits", new RateLimitFilter(watch));
            filter.setAsyncSupported(true);
            filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
            behind.addTo(context);
        });
    }

    /** For each answer, the endpoint that the application has served. */
    private static List<Set<String>> served(WebServer server, Sent sent) {
        List<Set<String>> all = new ArrayList<>();
        for (Answer answer : sent.exchange().apply(server)) {
            List<String> served = answer.headers(Served.HEADER);
            if (!served.isEmpty()) {
                all.add(new TreeSet<>(served));
            }
        }
        return all;
    }

    private static boolean isLimited(Set<String> served) {
        return served.stream()
                .anyMatch(one ->
                        one.equals("login") || one.equals("api") || one.startsWith("org=") || one.startsWith("file="));
    }
}
