package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.io.File;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter in a web application that has no SLF4J provider. */
@Tag("server")
class WithoutLogProviderTest {

    private static final String TWO_ENDPOINTS = """
            - { id: all, pathPattern: /**, tiers: [ { period: 1m, threshold: 1 } ] }
            - { id: login, pathPattern: /login, tiers: [ { period: 1m, threshold: 1 } ] }
            """;

    @TempDir
    private Path directory;

    @Test
    void theLogOfTheContainerSaysWhichLimitsAreInForce() throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), TWO_ENDPOINTS);
        try (URLClassLoader application =
                new URLClassLoader(libraries(name -> !isProvider(name)), ClassLoader.getPlatformClassLoader())) {
            assertThat(logged(application, file))
                    .containsExactly("filter limits: " + file + " is in force: 2 endpoints. Sluice logs nothing else, "
                            + "because the application has no SLF4J provider. Add one to WEB-INF/lib, for example slf4j-jdk14, "
                            + "to see warnings, reloads and outages of the store.");
        }
    }

    @Test
    void theLogOfTheContainerStaysEmptyIfThereIsAProvider() throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), TWO_ENDPOINTS);
        assertThat(logged(getClass().getClassLoader(), file)).isEmpty();
    }

    private static boolean isProvider(String library) {
        return library.contains("slf4j-simple") || library.contains("logback");
    }

    private static URL[] libraries(Predicate<String> chosen) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty() && chosen.test(entry))
                .map(entry -> url(Path.of(entry)))
                .toArray(URL[]::new);
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> logged(ClassLoader application, Path file) throws Exception {
        Function<String, List<String>> start = (Function<String, List<String>>)
                application.loadClass(Start.class.getName()).getConstructor().newInstance();
        return start.apply(file.toString());
    }

    /** Starts and stops a filter with a file; answers with the lines that it writes to the log of its container. */
    public static final class Start implements Function<String, List<String>> {

        private final List<String> lines = new ArrayList<>();

        public Start() {}

        @Override
        public List<String> apply(String file) {
            RateLimitFilter filter = new RateLimitFilter();
            try {
                filter.init(config(file));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                filter.destroy();
            }
            return lines;
        }

        private FilterConfig config(String file) {
            ServletContext context = fake(ServletContext.class, this::answer);
            return fake(FilterConfig.class, (method, argument) -> switch (method) {
                case "getFilterName" -> "limits";
                case "getServletContext" -> context;
                case "getInitParameterNames" -> Collections.enumeration(List.of("config"));
                case "getInitParameter" -> "config".equals(argument) ? file : null;
                default -> null;
            });
        }

        private Object answer(String method, Object argument) {
            if (method.equals("log")) {
                lines.add(String.valueOf(argument));
            }
            return switch (method) {
                case "getAttributeNames" -> Collections.emptyEnumeration();
                case "getServletRegistrations" -> Map.of();
                default -> null;
            };
        }

        private static <T> T fake(Class<T> type, BiFunction<String, Object, Object> answers) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (proxy, method, arguments) ->
                            answers.apply(method.getName(), arguments == null ? null : arguments[0])));
        }
    }
}
