package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.ExchangeReport;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.Traffic;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The dashboard and the alerts use only metrics and labels that a Prometheus registry has. */
@Tag("docs")
class GrafanaTest {

    private static final Path FOLDER = Path.of("examples/grafana");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");
    private static final Pattern QUERY = Pattern.compile("label_values\\((.*), (\\w+)\\)");

    private final Map<String, Set<String>> known = scraped();

    /** The labels of all metrics, by name, in a registry where everything has happened. */
    private static Map<String, Set<String>> scraped() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Traffic traffic = new Traffic(new TestClock(1_000_000));
        SluiceMeters meters = new SluiceMeters(registry);
        meters.read(traffic);
        Tier tier = new Tier("10s", new Limit.FixedWindow(100, Duration.ofSeconds(10)));
        Endpoint shop = new Endpoint("shop", Set.of(), "/", List.of("tenant"), Mode.ENFORCE, List.of(tier));
        List<Subject> acme = List.of(new Subject("tenant", "ip", "acme"));
        Decision decision = new Decision(Outcome.REFUSED, shop, tier, acme, 0, 1, 1, null);
        traffic.onDecision(TestCall.get("/"), decision);
        meters.onDecision(TestCall.get("/"), decision);
        meters.onExchange(new ExchangeReport(Duration.ofMillis(1), 1, 1, 1, 1));
        meters.onStoreWait(1_000_000);
        meters.onOutcomesAwaited(1_000_000);
        meters.onBlock(new Block(new CounterKey("shop", "*", "10s", acme, 0, 0), 0, 1, 1));
        meters.onCounters(1);
        Map<String, Set<String>> found = new TreeMap<>();
        Matcher samples = SAMPLE.matcher(registry.scrape());
        while (samples.find()) {
            Set<String> labels = found.computeIfAbsent(samples.group(1), first -> new TreeSet<>());
            if (samples.group(2) != null) {
                LABEL.matcher(samples.group(2)).results().forEach(label -> labels.add(label.group(1)));
            }
        }
        return found;
    }

    private List<String> mistakes(String expression, String text) {
        String plain = expression.replace("$__rate_interval", "1m").replaceAll("\\$(endpoint|client|instance)", ".*");
        PromQl query = new PromQl(plain, known);
        List<String> mistakes = new ArrayList<>();
        query.mistakes().forEach(mistake -> mistakes.add(expression + ": " + mistake));
        LEGEND.matcher(text).results().map(result -> result.group(1)).forEach(label -> {
            boolean isThere = query.labels().isEmpty()
                    ? isLabelOfAny(label)
                    : query.labels().contains(label);
            if (!isThere) {
                mistakes.add(expression + ": its text names the label " + label);
            }
        });
        return mistakes;
    }

    private boolean isLabelOfAny(String label) {
        return label.equals("instance") || known.values().stream().anyMatch(labels -> labels.contains(label));
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(Files.readString(FOLDER.resolve("dashboard.json")));
    }

    @SuppressWarnings("unchecked") // the limits in the file
    private static List<Map<String, Object>> alerts() throws IOException {
        Map<String, Object> file =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FOLDER.resolve("alerts.yml")));
        List<Map<String, Object>> groups = (List<Map<String, Object>>) file.get("groups");
        return groups.stream()
                .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                .toList();
    }

    @Test
    void theRegistryHasTheDocumentedNames() {
        assertThat(known)
                .containsKeys(
                        "sluice_decisions_total", "sluice_exchanges_seconds_count", "sluice_exchange_age_seconds");
        assertThat(known.get("sluice_client_used")).containsExactly("client", "endpoint", "tier");
    }

    @Test
    void panelsAndAnnotationsUseExistingMetrics() throws IOException {
        List<JsonNode> targets = new ArrayList<>(dashboard().path("panels").findParents("expr"));
        targets.addAll(dashboard().path("annotations").findParents("expr"));
        assertThat(targets).hasSizeGreaterThan(25);
        assertThat(targets.stream()
                        .flatMap(target -> mistakes(
                                target.path("expr").asText(),
                                target.path("legendFormat").asText()
                                        + target.path("textFormat").asText())
                                .stream()))
                .isEmpty();
    }

    @Test
    void variablesUseExistingMetrics() throws IOException {
        List<JsonNode> variables = dashboard().path("templating").findParents("definition");
        assertThat(variables).hasSize(3);
        for (JsonNode variable : variables) {
            Matcher query = QUERY.matcher(variable.path("definition").asText());
            assertThat(query.matches()).isTrue();
            assertThat(mistakes("sum by (" + query.group(2) + ") (" + query.group(1) + ")", ""))
                    .isEmpty();
        }
    }

    @Test
    void alertsUseExistingMetrics() throws IOException {
        List<Map<String, Object>> alerts = alerts();
        assertThat(alerts).hasSizeGreaterThan(5).allSatisfy(alert -> {
            assertThat(alert).containsKeys("alert", "expr", "for", "labels", "annotations");
            assertThat(mistakes(
                            (String) alert.get("expr"), alert.get("annotations").toString()))
                    .isEmpty();
        });
        assertThat(alerts).extracting(alert -> alert.get("alert")).doesNotHaveDuplicates();
    }

    /** The gauge covers the last minute, so a rule that waits would not fire for a burst. */
    @Test
    void aBurstOfOneClientsRefusalsIsNotMissed() throws IOException {
        assertThat(alerts())
                .filteredOn(alert -> alert.get("alert").equals("SluiceClientRefused"))
                .singleElement()
                .satisfies(alert -> assertThat((String) alert.get("expr"))
                        .contains("max_over_time(sluice_client_calls{outcome=\"refused\"", "[5m]"))
                .satisfies(alert -> assertThat(alert).containsEntry("for", "0m"));
    }

    @Test
    void allMetersAreShownOrAlertedOn() throws IOException {
        String all = Files.readString(FOLDER.resolve("dashboard.json")) + alerts();
        for (MeterDefinition meter : MeterDefinition.values()) {
            assertThat(all).contains(meter.meterName.replace('.', '_'));
        }
    }

    @Test
    void anUnknownNameIsFound() {
        assertThat(mistakes("sum by (endpoint) (rate(sluice_decision_total[5m]))", ""))
                .containsExactly(
                        "sum by (endpoint) (rate(sluice_decision_total[5m])): there is no metric sluice_decision_total",
                        "sum by (endpoint) (rate(sluice_decision_total[5m])): none of [sluice_decision_total] has the"
                                + " label endpoint");
        assertThat(mistakes("sluice_decisions_total{client=\"a\"} > 1", ""))
                .singleElement()
                .asString()
                .endsWith("sluice_decisions_total has no label client");
        assertThat(mistakes("max by (client) (sluice_client_used) / max by (who) (sluice_client_limit)", "{{tier}}"))
                .hasSize(2);
        assertThat(mistakes("max(sluice_client_used", ""))
                .singleElement()
                .asString()
                .endsWith("lacks [)]");
        assertThat(mistakes("max(sluice_client_used) § 1", "")).hasSize(1);
    }

    /** The page shows expressions for people who write their own alerts. */
    @Test
    void expressionsInTheRunbookUseExistingMetrics() throws IOException {
        List<String> expressions = Pattern.compile("```promql\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("docs/operations.md")))
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(expressions).isNotEmpty();
        assertThat(expressions.stream().flatMap(expression -> mistakes(expression, "").stream()))
                .isEmpty();
    }
}
