package dev.sluice.internal.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.limits.SubjectSource;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema and the loader agree on all keys. */
class SchemaTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void knowsTheKeysOfTheLoaderAndNoOthers() {
        assertThat(Schema.vocabulary()).isEqualTo(loaderVocabulary());
    }

    static Set<String> loaderVocabulary() {
        Set<String> keys = new TreeSet<>();
        Findings findings =
                new Findings("", (map, key) -> keys.add(map.key(key).path().replaceAll("\\[\\d+]", "[]")));
        LoadContext context = LoadContext.ofNames(Set.of());
        new LimitsReader(context, findings).file(SourceContent.of(GivenFile.with("clients: [ {} ]")));
        new LimitsReader(context, findings).file(SourceContent.of(GivenFile.with("clients: { list: [] }")));
        new LimitsReader(context, findings).file(SourceContent.of(GivenFile.withEndpoint("count: {}\n  when: {}")));
        new LimitsReader(context, findings)
                .file(SourceContent.of(GivenFile.withTiers("{ period: 1m, threshold: 1, block: {} }")));
        return keys;
    }

    @Test
    void describesEachKey() {
        Schema.eachKey((path, schema) -> assertThat(schema.has("description")
                        || schema.path("$ref").asText().equals("#/$defs/endpoints"))
                .as(path)
                .isTrue());
    }

    @Test
    void tellsTheDefaultsThatTheLoaderHas() {
        Schema.defaults()
                .forEach((path, told) ->
                        assertThat(summary(fileWith(path, told))).as(path).isEqualTo(summary(fileWith(path, null))));
    }

    @Test
    void tellsTheDefaultOfEachKeyThatHasOne() {
        Set<String> without = new TreeSet<>();
        Schema.eachKey((path, schema) -> {
            boolean holdsOthers = schema.path("properties").size() > 0;
            if (!schema.has("default") && !Schema.requires(path) && !holdsOthers) {
                without.add(path);
            }
        });
        assertThat(without)
                .as("absence of these has a meaning that no value has")
                .containsExactly(
                        "clients.defaultPlan",
                        "clients.from",
                        "clients.planFrom",
                        "clients[].mode",
                        "clients[].name",
                        "clients[].plan",
                        "endpoints[].count.outcome",
                        "endpoints[].count.status",
                        "endpoints[].except",
                        "endpoints[].headers",
                        "endpoints[].methods",
                        "endpoints[].mode",
                        "endpoints[].on",
                        "endpoints[].pathPattern",
                        "endpoints[].tiers[].block.upTo",
                        "endpoints[].tiers[].burst",
                        "endpoints[].tiers[].elastic",
                        "endpoints[].tiers[].maxQueueTime",
                        "endpoints[].tiers[].period",
                        "endpoints[].tiers[].sync",
                        "endpoints[].tiers[].tolerance",
                        "endpoints[].tiers[].zone",
                        "endpoints[].when.between",
                        "endpoints[].when.country",
                        "endpoints[].when.days",
                        "endpoints[].when.zone",
                        "log.refusals",
                        "pendingCalls.queued",
                        "reject.body",
                        "reject.contentType",
                        "reject.html",
                        "reject.statusIfBusy",
                        "secrets.key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mode: off",
                "endpoints: [ { id: a, pathPattern: [ /a/**, \"/b/{x}\" ], except: [ /a/static/**, /a/health ], "
                        + "tiers: [ { period: 1s, threshold: 1 } ] } ]",
                "mode: ${MODE:dry-run}",
                "regionShare: 0.5",
                "plans: { pro: { multiply: 10 } }\n"
                        + "clients: { planFrom: [ claim:plan, \"attribute:plan\" ], defaultPlan: pro }",
                "plans: { pro: { exempt: true } }\nclients: [ { tenant: a, name: Kühne & Söhne, plan: pro } ]",
                "regionShare: \"${SHARE:0.333}\"",
                "reload: 10",
                "reload: \"10\"",
                "reload: PT1M",
                "reject: { status: 503, retryAfterJitter: 500ms }",
                "reject: { statusIfBusy: 503 }",
                "reject: { contentType: application/vnd.shop+json, body: \"{path}\" }",
                "reject: { contentType: \"text/html; charset=utf-8\", body: \"\" }",
                "reject: { html: \"<p>{detail}</p>\" }",
                "reject: { html: none }",
                "headers: { style: none, reset: epoch, inDryRun: true }",
                "subjects: { user: [ principal, \"attribute:user\", \"${SOURCE:header:X-User}\" ], tenant: [ ip ] }",
                "trustedProxies: [ 10.0.0.0/8, \"2001:db8::/32\", 192.0.2.7, \"${PROXY:::1}\" ]",
                "ipv6Prefix: 56",
                "country: header:X-Country",
                "pendingCalls: { queued: 0, waiting: \"${WAITING:1}\" }",
                "store: { uri: \"${NO_SUCH_STORE:memory:}\" }",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { threshold: 20, algorithm: concurrency, scope: server"
                        + " } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: 1m, threshold: 60, algorithm:"
                        + " sliding-window, subWindows: 4 } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: 1m, threshold: 60, algorithm: token-bucket,"
                        + " burst: 50, tolerance: 2.5% } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: 1m, threshold: 60, algorithm: leaky-bucket,"
                        + " queue: 5, maxQueueTime: 5s } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: 1m, threshold: 60, algorithm:"
                        + " \"${A:sliding-log}\", sync: strict } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: 1m, threshold: 60, elastic: { upTo: 1100%,"
                        + " whileLoadBelow: 100% } } ] } ]",
                "zone: Europe/Berlin",
                "endpoints: [ { id: a, pathPattern: /, headers: none, tiers: [ { period: 1s, threshold: 5 } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: month, threshold: 60 } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: week, threshold: 60, algorithm:"
                        + " fixed-window, zone: Asia/Tokyo } ] } ]",
                "endpoints: [ { id: a, pathPattern: /, tiers: [ { period: \"${P:day}\", threshold: 60, zone:"
                        + " \"${Z:UTC}\" } ] } ]",
                "{ }"
            })
    void acceptsWhatTheLoaderAccepts(String keys) {
        String smallest = "\nendpoints:\n" + GivenFile.SMALLEST;
        String text = keys.equals("{ }") ? smallest : keys.startsWith("endpoints") ? keys : keys + smallest;
        assertThat(new GivenFile(text).problems()).isEmpty();
        assertThat(Schema.problems(text)).isEmpty();
    }

    @Test
    void acceptsABareList() throws IOException {
        String endpoint = "[{\"id\":\"a\",\"pathPattern\":\"/a\",\"tiers\":[{\"period\":1,\"threshold\":1}]}]";
        assertThat(Schema.problems(JSON.readTree(endpoint))).isEmpty();
        assertThat(Schema.problems(JSON.readTree("[]"))).isNotEmpty();
    }

    @Test
    void acceptsTheSampleThatUsersCopy() throws IOException {
        assertThat(Schema.problems(Files.readString(Path.of("rate-limits.yml"))))
                .isEmpty();
    }

    @Test
    void standsWhereTheSampleSaysItDoes() throws IOException {
        String first = Files.readAllLines(Path.of("rate-limits.yml")).get(0);
        assertThat(first).startsWith("# yaml-language-server: $schema=");
        assertThat(Path.of(first.substring(first.indexOf('=') + 1))).exists();
    }

    /** A file with the required keys and this one. */
    private static LimitsFile fileWith(String path, @Nullable JsonNode value) {
        ObjectNode tier = tierWith(path);
        ObjectNode endpoint = JSON.createObjectNode().put("id", "get-product").put("pathPattern", "/product/*");
        ObjectNode client = JSON.createObjectNode().put("tenant", "somebody");
        ObjectNode file = JSON.createObjectNode();
        if (path.startsWith("clients[].")) {
            file.putArray("clients").add(client);
        }
        file.putArray("endpoints").add(endpoint);
        endpoint.putArray("tiers").add(tier);
        if (value != null) {
            ObjectNode parent = path.contains("tiers[].")
                    ? tier
                    : path.contains("endpoints[].") ? endpoint : path.contains("clients[].") ? client : file;
            String remaining = path.replaceFirst(".*\\[]\\.", "");
            int dot = remaining.indexOf('.');
            ObjectNode owner = dot < 0 ? parent : parent.putObject(remaining.substring(0, dot));
            owner.set(remaining.substring(dot + 1), value);
        }
        return new GivenFile(file.toString()).load();
    }

    /** A tier of an algorithm that has this key. */
    private static ObjectNode tierWith(String path) {
        ObjectNode tier = JSON.createObjectNode().put("threshold", 1000);
        return switch (path.replaceFirst(".*[.]", "")) {
            case "subWindows" -> tier.put("algorithm", "sliding-window").put("period", "10s");
            case "queue" -> tier.put("algorithm", "leaky-bucket").put("period", "10s");
            case "scope" -> tier.put("algorithm", "concurrency");
            default -> tier.put("period", "10s");
        };
    }

    /** The content of a file, without what cannot be compared. */
    private static List<Object> summary(LimitsFile file) {
        Map<String, List<String>> subjects = new TreeMap<>();
        file.limits()
                .subjects()
                .forEach((name, chain) -> subjects.put(
                        name, chain.stream().map(SubjectSource::name).toList()));
        return List.of(
                file.intervals().reload(),
                file.intervals().refresh(),
                file.intervals().refusals(),
                file.limits().endpoints(),
                subjects,
                file.limits().caseSensitive(),
                file.limits().maximumCounters(),
                file.limits().pendingCalls(),
                file.limits().responses(),
                file.limits().clients());
    }
}
