package dev.sluice.internal.servlet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory counts as the welcome file that the container serves for it, although the container asks a filter that is
 * mapped for requests only once, with the directory's path; the same in every container.
 */
@Tag("server")
public abstract class WelcomeFileContract {

    private final WebServer.Make make;
    private final @Nullable Supplier<Servlet> files;

    @TempDir
    private Path root;

    /**
     * Tests a container.
     *
     * @param files the servlet that serves its files; {@code null} if the container serves them anyway
     */
    public WelcomeFileContract(WebServer.Make make, @Nullable Supplier<Servlet> files) {
        this.make = make;
        this.files = files;
    }

    @ParameterizedTest
    @ValueSource(strings = {"start.html", "index.html"})
    void aDirectoryCountsAsTheFileThatIsServed(String name) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("dir")).resolve(name), "welcome");
        Path limits = Files.writeString(
                root.resolve("limits.yml"),
                "- { id: file, pathPattern: /dir/" + name + ", tiers: [ { period: 1h, threshold: 2 } ] }");
        Application application = Application.at("", (classes, context) -> {
                    if (files != null) {
                        context.addServlet("files", files.get()).addMapping("/");
                    }
                    context.addFilter("limits", new RateLimitFilter(Sluice.open(limits.toString())))
                            .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
                })
                .rootedAt(root)
                .welcomedBy(name);
        try (WebServer server = make.start(application)) {
            Answer first = RawHttp.get(server, "/dir/");
            assertThat(first.body()).contains("welcome");
            assertThat(first.header("x-ratelimit-remaining")).isEqualTo("1");
            assertThat(RawHttp.get(server, "/dir/;x").header("x-ratelimit-remaining"))
                    .isEqualTo("0");
            assertThat(RawHttp.get(server, "/dir/").status()).isEqualTo(429);
            assertThat(RawHttp.get(server, "/dir/" + name).status()).isEqualTo(429);
        }
    }
}
