package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions in {@code docs/compatibility.md} are those that the build and CI use. */
class CompatibilityTest {

    private static final Path PAGE = Path.of("docs/compatibility.md");

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            | %s | the build                 ; pom.xml                      ; <maven.compiler.release>(.+?)<
            | Tomcat | %s |                  ; pom.xml                      ; <tomcat(?:10)?.version>(.+?)<
            | Jetty | %s (EE 10) |           ; pom.xml                      ; <jetty.version>(.+?)<
            | Undertow | %s |                ; pom.xml                      ; <undertow.version>(.+?)<
            | Payara Micro | %s |            ; .ci/run                      ; local version=([0-9.]+) port
            | Quarkus, with `quarkus-undertow` | %s | ; examples/quarkus/pom.xml ; <quarkus.version>(.+?)<
            | gRPC on Netty | %s | CI        ; examples/grpc/pom.xml        ; <grpc.version>(.+?)<
            | Jersey in Grizzly | %s | CI    ; examples/jax-rs/pom.xml      ; <jersey.version>(.+?)<
            | %s | CI: `examples/spring-boot`; examples/spring-boot/pom.xml ; <artifactId>spring-boot-starter-parent</artifactId>\\s*<version>(.+?)<
            | %s | the build |               ; pom.xml                      ; <lettuce.version>(.+?)<
            | %s | CI: the tests of the Redis; .ci/run                      ; -Dlettuce.version=(\\S+)
            | Redis %s | CI                  ; .ci/run                      ; redis-server-([0-9.]+)-linux
            """)
    void areThoseThatAreTested(String row, String file, String version) throws IOException {
        List<String> tested = Pattern.compile(version)
                .matcher(Files.readString(Path.of(file)))
                .results()
                .map((MatchResult found) -> row.formatted(found.group(1)))
                .toList();
        assertThat(tested).isNotEmpty();
        assertThat(Files.readString(PAGE)).contains(tested);
    }

    @Test
    @DisabledIfSystemProperty(named = "sluice.redis", matches = ".+", disabledReason = "another server is tested with")
    void redisIsTheOneOfTheTests() throws IOException {
        try (RedisServer redis = RedisServer.open()) {
            String info = (String) redis.call("INFO", "server");
            String version = Pattern.compile("redis_version:(\\S+)")
                    .matcher(info)
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group(1);
            assertThat(Files.readString(PAGE)).contains("| Redis " + version + " | the build");
        }
    }
}
