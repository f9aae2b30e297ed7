package dev.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that the command sets for a whole plan reach all instances, and it says whom they concern. */
@Tag("store")
class LimitsOfPlansCommandTest {

    private static final String FILE = """
        store: { uri: "%s" }
        limits: { refresh: 100ms }
        sync: { timeout: 30s }
        subjects: { tenant: [ "header:X-Org-Id" ] }
        plans: { free: {}, pro: { multiply: 10 } }
        clients:
          planFrom: [ "header:X-Plan" ]
          defaultPlan: free
          list: [ { tenant: acme, plan: pro } ]
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 360d, threshold: 5 } ] }
          - { id: all, pathPattern: /all, per: [], tiers: [ { period: 360d, threshold: 10 } ] }
        """;

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private static Invocation limits(String... arguments) {
        return limitsOn(redis.patientUri(), arguments);
    }

    private static Invocation limitsOn(String store, String... arguments) {
        List<String> all = new ArrayList<>(List.of("limits"));
        all.addAll(List.of(arguments));
        return Invocation.onStore(store, all.toArray(String[]::new));
    }

    private String file(String store) throws IOException {
        return Files.writeString(directory.resolve("rate-limits.yml"), FILE.formatted(store))
                .toString();
    }

    /** An instance that has reported itself to the store. */
    private Sluice knownInstance() throws IOException {
        Sluice instance = Sluice.open(file(redis.patientUri()));
        Eventually.await(
                "an instance is known",
                () -> !redis.call("ZCARD", "sluice:{limits}:instances").equals(0L));
        return instance;
    }

    private static long threshold(Sluice instance, String tenant, String plan) {
        return instance.explain(TestCall.get("/shop").of(tenant).with("X-Plan", plan))
                .get(0)
                .tier()
                .limit()
                .threshold();
    }

    @Test
    void areSetAndUnsetOnAllInstances() throws IOException {
        try (Sluice one = knownInstance();
                Sluice other = Sluice.open(file(redis.patientUri()))) {
            Eventually.await(
                    "two instances are known",
                    () -> redis.call("ZCARD", "sluice:{limits}:instances").equals(2L));
            Invocation set = limits("set", "--plan", "pro", "*", "x2", "--for", "2h", "--why", "sale", "--by", "eve");
            assertThat(set.err()).isEmpty();
            assertThat(set.out()).matches("""
                The limit is set: plan=pro \\* x2
                  shop now has tier 360d: 100 in 360d \\(\\S+\\)
                  all stays the same, because it counts all callers together \\(\\S+\\)
                  It expires in 2h, at \\S+
                  2 of 2 instances have applied it
                """);
            for (Sluice instance : List.of(one, other)) {
                assertThat(threshold(instance, "acme", "")).isEqualTo(100);
                assertThat(threshold(instance, "some", "pro")).isEqualTo(100);
                assertThat(threshold(instance, "some", "")).isEqualTo(5);
            }
            assertThat(limits("list").out())
                    .matches("client .*\nplan=pro +\\* +x2 +20\\S+Z \\(in .*\\) +20\\S+Z +eve +sale\n");
            assertThat(limits("unset", "*", "--plan", "pro", "--by", "bob").out())
                    .isEqualTo("""
                The limit is removed, and the one in the file applies again: plan=pro *
                  2 of 2 instances have applied it
                """);
            assertThat(threshold(one, "acme", "")).isEqualTo(50);
            assertThat(limits("history", "plan=pro").out())
                    .matches(
                            "time .*\n\\S+ +unset +plan=pro +\\* +- +- +bob +-\n\\S+ +set +plan=pro +\\* +x2 +\\S+ +eve +sale\n");
        }
    }

    @Test
    void endByThemselves() throws IOException {
        try (Sluice one = knownInstance()) {
            limits("set", "--plan", "free", "shop", "7/360d", "--for", "1s");
            assertThat(threshold(one, "some", "")).isEqualTo(7);
            Eventually.await("the limit of the file", () -> threshold(one, "some", "") == 5);
        }
    }

    @Test
    void sayWhatTheyReplaceAndWhoKeepsItsOwn() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(limits("set", "acme", "shop", "7/360d").exitCode()).isZero();
            String said = limits("set", "--plan", "pro", "shop", "60/360d").out();
            assertThat(said)
                    .contains("  It replaces tier 360d: 50 in 360d (")
                    .contains("  Limits that are set for individual clients stay: tenant=acme\n")
                    .doesNotContain("is new");
            assertThat(threshold(one, "acme", "")).isEqualTo(7);
            assertThat(limits("set", "--plan", "pro", "shop", "x2").out())
                    .contains("  It replaces 60/360d, set ")
                    .contains("  shop now has tier 360d: 100 in 360d (");
            limits("unset", "acme", "shop");
            assertThat(threshold(one, "acme", "")).isEqualTo(100);
        }
    }

    @Test
    void areShownForThePlanAndForEachOfItsCallers() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(limits("get", "--plan", "pro", "shop").exitCode()).isEqualTo(ExitCodes.NOTHING_SET);
            limits("set", "--plan", "pro", "*", "1.5x");
            assertThat(limits("get", "--plan", "pro", "shop").out()).matches("""
                plan=pro shop
                  file   tier 360d: 50 in 360d, by plan pro \\(\\S+\\)
                  store  1.5x for all endpoints, set .*
                """);
            assertThat(one.decide(TestCall.get("/shop").of("acme")).admitted()).isTrue();
            Eventually.await(
                    "counted", () -> limits("get", "acme", "shop").out().contains("used"));
            Invocation caller = limits("get", "acme", "shop");
            assertThat(caller.exitCode()).isZero();
            assertThat(caller.out()).matches("""
                tenant=acme shop
                  file   tier 360d: 50 in 360d, by client tenant: acme, plan pro \\(\\S+\\)
                  store  for plan pro: 1.5x for all endpoints, set .*
                  now    any method, tier 360d: 1 of 75 used, .*
                """);
            Invocation stranger = limits("get", "some", "shop");
            assertThat(stranger.out()).contains("store  for plan pro: 1.5x for all endpoints, set ");
        }
    }

    @Test
    void areNamedByExplain() throws IOException {
        String file = file(redis.patientUri());
        limits("set", "--plan", "pro", "shop", "60/360d", "--config", file, "--wait", "0s");
        limits("set", "--plan", "pro", "*", "x3", "--config", file, "--wait", "0s");
        assertThat(explained(file, "acme"))
                .contains("""
              plan pro
            """)
                .contains("  set in the store for plan pro: 60/360d, set ")
                .contains("  tier 360d: 60 in 360d\n");
        assertThat(explained(file, "some")).doesNotContain("set in the store").contains("  tier 360d: 5 in 360d\n");
        limits("set", "acme", "*", "x2", "--config", file, "--wait", "0s");
        assertThat(explained(file, "acme"))
                .contains("  set in the store: x2, set ")
                .contains("tier 360d: 100 in 360d\n");
        for (String[] place : new String[][] {{"plan=pro", "shop"}, {"plan=pro", "*"}, {"acme", "*"}}) {
            limits("unset", place[0], place[1], "--wait", "0s");
        }
    }

    private static String explained(String file, String tenant) {
        return Invocation.onStore(redis.patientUri(), "explain", file, "GET", "/shop", "-H", "X-Org-Id: " + tenant)
                .out();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set --plan prp * x2          |3| sluice: there is no plan prp in FILE; did you mean pro?",
                "set --plan gold * x2         |3| sluice: there is no plan gold in FILE; its plans are free, pro",
                "set --plan pro shp x2        |3| sluice: there is no endpoint shp in FILE; did you mean shop?",
                "set --plan pro shop          |2| sluice: Missing required parameter: 'TIERS'",
                "set --plan pro acme shop x2  |2| sluice: --plan replaces CLIENT, so write only ENDPOINT and TIERS",
                "set acme shop                |2| sluice: Missing required parameter: 'TIERS'",
                "get acme                     |2| sluice: Missing required parameter: 'ENDPOINT'",
                "get --plan prp shop          |3| sluice: there is no plan prp in FILE; did you mean pro?",
                "unset --plan pro shop        |5| sluice: nothing is set for plan=pro shop",
                "set --plan pro --subject tenant shop x2 |2| sluice: --plan and --subject cannot be combined",
                "set --plan pro * 5/1s        |2| sluice: a limit for all endpoints must be a factor, such as x2; 5/1s"
                        + " can be set only for a single endpoint",
                "reset plan=pro shop          |2| sluice: a plan has no counts of its own; name one of its callers",
            })
    void mistakesAreExplained(String line, int exitCode, String said) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(line.strip().split(" ")));
        String file = file("memory:");
        arguments.addAll(List.of("--config", file));
        Invocation run = limits(arguments.toArray(String[]::new));
        assertThat(run.err()).startsWith(said.replace("FILE", file));
        assertThat(run.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void areKeptInMongoDb() throws IOException {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                Sluice one = Sluice.open(file(mongo.patientUri()))) {
            Eventually.await(
                    "the limit of the plan",
                    () -> limitsOn(mongo.patientUri(), "set", "--plan", "pro", "*", "x2")
                            .out()
                            .contains("1 of 1 instance has applied it"));
            assertThat(threshold(one, "acme", "")).isEqualTo(100);
            assertThat(limitsOn(mongo.patientUri(), "unset", "--plan", "pro", "*")
                            .exitCode())
                    .isZero();
            assertThat(threshold(one, "acme", "")).isEqualTo(50);
        }
    }
}
