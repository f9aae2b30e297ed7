package dev.sluice.internal.instance.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import dev.sluice.open.GivenFile;
import dev.sluice.tier.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits that an instance reports can be read again by others. */
class ReportedLimitsTest {

    private static final String FILE = """
        subjects: { tenant: [ "header:X-Org-Id", ip ], user: [ principal ] }
        clients:
          - { tenant: [ "a b", "partner-*" ], user: "é=+%", multiply: 0.5, mode: dry-run }
          - { tenant: free, exempt: true }
          - { tenant: acme, endpoints: { a: [ { period: 1h, threshold: 700 } ] } }
        endpoints:
          - id: a
            methods: [ POST, GET ]
            pathPattern: /a/{x}/**
            per: [ tenant, user ]
            cost: 5
            count: { status: [ 401, 403 ] }
            tiers:
              - { period: month, threshold: 900000, zone: Europe/Berlin }
              - { period: 1h, threshold: 20000, tolerance: 10%, block: { after: 20, within: 1m, for: 5m, upTo: 1h } }
              - { period: 40m, threshold: 10000, algorithm: sliding-window, subWindows: 6 }
              - { period: 30m, threshold: 8000, algorithm: sliding-log }
              - { period: 10m, threshold: 3000, algorithm: token-bucket, burst: 900 }
              - { period: 1m, threshold: 600, algorithm: leaky-bucket, queue: 90, maxQueueTime: 2s }
              - { threshold: 60, algorithm: concurrency, scope: server }
          - id: b
            pathPattern: /b
            per: []
            mode: off
            cost: "header:X-Cost"
            tiers: [ { period: 1s, threshold: 100, elastic: { upTo: 150%, whileLoadBelow: 60% } } ]
          - { id: c, on: report, per: [ "argument:id" ], tiers: [ { period: 1s, threshold: 100 } ] }
          - { id: e, pathPattern: [ /e/**, /f ], except: [ /e/g, "/e/h/**" ],
              tiers: [ { period: 1s, threshold: 100 } ] }
          - { id: d, pathPattern: /d, tiers: [ { period: 1s, threshold: 100 } ] }
        """;

    private static Limits told(Limits limits) {
        ReportReader.LimitsOfFile read =
                ReportReader.read(ReportedLimits.of("a file", limits)).orElseThrow();
        assertThat(read.file()).isEqualTo("a file");
        return read.limits();
    }

    @Test
    void tellPlansAndNames() {
        Limits limits = GivenFile.with("""
            plans: { free: { multiply: 0.5 }, pro: { mode: dry-run, endpoints: { get-product: [ { period: 1h, threshold: 700 } ] } } }
            clients: { list: [ { tenant: acme, name: Acme Ltd, plan: pro } ], defaultPlan: free }
            """).load().limits();
        Limits told = told(limits);
        assertThat(told.clients()).isEqualTo(limits.clients());
        assertThat(told.plans().byName()).isEqualTo(limits.plans().byName());
        assertThat(told.plans().byDefault()).isEqualTo("free");
        assertThat(told.plans().nameOf(new Subject("tenant", "header:X-Org-Id", "acme")))
                .isEqualTo("Acme Ltd");
    }

    @Test
    void tellWhatElseNamesPlans() {
        String file =
                "plans: { free: {} }\nclients: { from: customers, planFrom: [ \"header:X-Plan\", \"claim:plan\" ] }\n";
        Plans told = told(LimitsReader.read(GivenFile.with(file), Set.of("customers"))
                        .limits())
                .plans();
        assertThat(told.claimed()).extracting(SubjectSource::name).containsExactly("header:X-Plan", "claim:plan");
        assertThat(told.directory().from()).isEqualTo("customers");
    }

    @Test
    void tellAShortTableOfClientsAndThatThereIsALongOne(@TempDir Path folder) throws IOException {
        Path table = folder.resolve("clients.csv");
        Files.writeString(table, "client,name,plan\nacme,Acme Ltd,pro\nglobex,,\n");
        String file = "plans: { pro: { multiply: 10 } }\nclients: { from: \"file:" + table + "\" }\n";
        Limits read = told(GivenFile.with(file).load().limits());
        Plans told = read.plans();
        assertThat(told.nameOf(new Subject("tenant", "header:X-Org-Id", "acme")))
                .isEqualTo("Acme Ltd");
        assertThat(told.directory().clients().planOf("", "acme", "acme")).isEqualTo("pro");
        assertThat(told.directory().clients().lists("globex")).isTrue();
        assertThat(read.named("Acme Ltd")).extracting(Subject::value).containsExactly("acme");
        assertThat(read.named("")).isEmpty();

        Files.writeString(
                table,
                IntStream.rangeClosed(0, 2_000)
                        .mapToObj(i -> "c" + i + "\n")
                        .collect(Collectors.joining("", "client\n", "")));
        Plans tooLong = told(GivenFile.with(file).load().limits()).plans();
        assertThat(tooLong.directory().clients()).isSameAs(ClientDirectory.EMPTY);
    }

    @Test
    void namesClientsOfASecretSubjectByTheirHash() {
        Limits limits = GivenFile.of("""
            secrets: { key: "the key of all instances" }
            subjects: { tenant: { sources: [ "header:X-Api-Key" ], secret: true } }
            clients: [ { tenant: [ k-123, "k-4*" ], exempt: true } ]
            endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 1h, threshold: 1 } ] } ]
            """).load().limits();

        assertThat(ReportedLimits.of("a file", limits).text())
                .contains("%23")
                .doesNotContain("k-123")
                .doesNotContain("k-4");
    }

    @Test
    void isReadAsItWas() {
        Limits limits = GivenFile.of(FILE).load().limits();
        Limits told = told(limits);
        assertThat(told.endpoints()).hasSameSizeAs(limits.endpoints());
        for (int i = 0; i < told.endpoints().size(); i++) {
            Endpoint endpoint = told.endpoints().get(i);
            assertThat(endpoint)
                    .usingRecursiveComparison()
                    .ignoringFields("tiers", "cost", "when")
                    .isEqualTo(limits.endpoints().get(i));
            assertThat(endpoint.cost().name())
                    .isEqualTo(limits.endpoints().get(i).cost().name());
            assertSameTiers(endpoint.tiers(), limits.endpoints().get(i).tiers());
        }
        assertThat(names(told)).isEqualTo(names(limits));
        assertThat(told.clients())
                .extracting(Client::who)
                .isEqualTo(limits.clients().stream().map(Client::who).toList());
        assertThat(told.clients())
                .extracting(Client::multiply)
                .isEqualTo(limits.clients().stream().map(Client::multiply).toList());
        assertThat(told.clients())
                .extracting(Client::mode)
                .isEqualTo(limits.clients().stream().map(Client::mode).toList());
        assertThat(told.clients()).extracting(Client::exempt).containsExactly(false, true, false);
        assertSameTiers(
                told.clients().get(2).endpoints().get("a"),
                limits.clients().get(2).endpoints().get("a"));
    }

    private static Map<String, List<String>> names(Limits limits) {
        return limits.subjects().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().stream()
                                .map(SubjectSource::name)
                                .toList()));
    }

    /** All of a tier but how instances share its counters. */
    private static void assertSameTiers(List<Tier> some, List<Tier> others) {
        assertThat(some)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("sync")
                .isEqualTo(others);
    }

    @Test
    void hasOneDigestForTheSameLimits() {
        Limits limits = GivenFile.of(FILE).load().limits();
        ReportedLimits one = ReportedLimits.of("f", limits);
        assertThat(one.digest())
                .isEqualTo(ReportedLimits.of("f", GivenFile.of(FILE).load().limits())
                        .digest());
        Limits other = GivenFile.of(FILE.replace("threshold: 20000", "threshold: 21000"))
                .load()
                .limits();
        assertThat(one.digest()).isNotEqualTo(ReportedLimits.of("f", other).digest());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sluice-limits 2\nfile x\n",
                "sluice-limits 1\nendpoint\n",
                "sluice-limits 1\nendpoint a ENFORCE /a 1 false\n",
                "sluice-limits 1\nendpoint a NEVER /a 1 false\ntier 1s fixed-window 1 1000 0 0 hard 0 0\n",
                "sluice-limits 1\nendpoint a ENFORCE /a 1 false\ntier 1s fixed-window -1 1000 0 0 hard 0 0\n",
                "sluice-limits 1\ntier 1s fixed-window 1\n",
                "sluice-limits 1\nclient true lots ~\nwho a b\n",
                "sluice-limits 1\nfile %zz\n",
                "sluice-limits 1\nfile\n"
            })
    void isNotReadWhereItIsGarbled(String text) {
        assertThat(ReportReader.read(new ReportedLimits(text))).isEmpty();
    }

    @Test
    void mayHoldLinesThatAreNotKnownYet() {
        String text = ReportedLimits.of("f", GivenFile.of(FILE).load().limits()).text() + "\u00e4 new %C3%A4 line\n\n";
        assertThat(ReportReader.read(new ReportedLimits(text))).isPresent();
    }
}
