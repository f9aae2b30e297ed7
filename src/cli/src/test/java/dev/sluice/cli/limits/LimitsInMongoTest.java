package dev.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of operators do with MongoDB what they do with Redis. */
@Tag("store")
class LimitsInMongoTest {

    private static final String FILE = """
        store: { uri: "%s" }
        sync: { timeout: 5s }
        limits: { refresh: 100ms }
        subjects: { tenant: [ "header:X-Org-Id" ] }
        endpoints:
          - { id: get-product, pathPattern: /product/*, tiers: [ { period: 1h, threshold: 10 } ] }
        """;

    @TempDir
    private Path directory;

    private final MongoServerInProcess mongo = MongoServerInProcess.open();

    @AfterEach
    void close() {
        mongo.close();
    }

    private Invocation run(String... arguments) {
        return Invocation.onStore(mongo.patientUri(), arguments);
    }

    private static long threshold(Sluice instance) {
        return instance.explain(TestCall.get("/product/1").of("acme"))
                .get(0)
                .tier()
                .limit()
                .threshold();
    }

    @Test
    void setWatchAndRemove() throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE.formatted(mongo.patientUri()));
        try (Sluice instance =
                Sluice.builder().config(ConfigLocation.source(file.toString())).open()) {
            for (int i = 0; i < 3; i++) {
                assertThat(instance.decide(TestCall.get("/product/1").of("acme"))
                                .admitted())
                        .isTrue();
            }
            Eventually.await(
                    "the count in top", () -> run("top", "--once").out().contains("acme"));

            Invocation set = run("limits", "set", "acme", "get-product", "50/1h");
            assertThat(set.err()).isEmpty();
            assertThat(set.exitCode()).isZero();
            Eventually.await("the limit", () -> threshold(instance) == 50);
            assertThat(run("limits", "list").out()).contains("acme").contains("50");
            assertThat(run("limits", "get", "acme", "get-product").out()).contains("50");

            assertThat(run("limits", "unset", "acme", "get-product").exitCode()).isZero();
            Eventually.await("the limit of the file", () -> threshold(instance) == 10);
        }
    }
}
