package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Grafana accepts the dashboard: it has only panel types, fields, option values and units that Grafana documents.
 * Anything not listed here is unused or misspelled.
 */
@Tag("docs")
class GrafanaModelTest {

    private static final int COLUMNS = 24;
    private static final Set<String> DASHBOARD = Set.of(
            "title",
            "uid",
            "tags",
            "schemaVersion",
            "version",
            "editable",
            "graphTooltip",
            "time",
            "refresh",
            "timezone",
            "templating",
            "annotations",
            "panels");
    private static final Set<String> PANEL = Set.of(
            "id",
            "type",
            "title",
            "description",
            "datasource",
            "targets",
            "gridPos",
            "fieldConfig",
            "options",
            "transformations",
            "collapsed",
            "panels",
            "interval",
            "maxDataPoints");
    private static final Set<String> TARGET = Set.of(
            "refId", "datasource", "expr", "legendFormat", "range", "instant", "format", "editorMode", "interval");
    private static final Set<String> FIELD = Set.of(
            "unit", "min", "max", "decimals", "custom", "mappings", "thresholds", "color", "displayName", "noValue");
    private static final Set<String> VARIABLE = Set.of(
            "name",
            "label",
            "type",
            "query",
            "datasource",
            "definition",
            "refresh",
            "includeAll",
            "allValue",
            "multi",
            "sort",
            "current",
            "hide",
            "regex",
            "options");
    private static final Set<String> UNITS =
            Set.of("short", "none", "percent", "percentunit", "s", "ms", "ops", "reqps", "cps", "dateTimeFromNow");
    private static final Map<String, Set<String>> OPTIONS = Map.of(
            "timeseries", Set.of("legend", "tooltip"),
            "table", Set.of("showHeader", "sortBy", "cellHeight", "footer"),
            "stat", Set.of("colorMode", "graphMode", "textMode", "reduceOptions", "justifyMode", "orientation"));
    private static final Map<String, Set<String>> VALUES = Map.ofEntries(
            Map.entry("drawStyle", Set.of("line", "bars", "points")),
            Map.entry("showPoints", Set.of("auto", "never", "always")),
            Map.entry("displayMode", Set.of("list", "table", "hidden")),
            Map.entry("placement", Set.of("bottom", "right")),
            Map.entry("colorMode", Set.of("value", "background", "background_solid", "none")),
            Map.entry("graphMode", Set.of("none", "line", "area")),
            Map.entry("textMode", Set.of("auto", "value", "value_and_name", "name", "none")),
            Map.entry("format", Set.of("time_series", "table", "heatmap")),
            Map.entry("editorMode", Set.of("code", "builder")));
    private static final Set<String> CALCULATIONS = Set.of("lastNotNull", "last", "max", "min", "mean", "sum");
    private static final Set<String> TRANSFORMATIONS =
            Set.of("merge", "organize", "filterByValue", "sortBy", "limit", "seriesToColumns", "joinByField");
    private static final Set<String> MATCHERS = Set.of("byName", "byFrameRefID", "byRegexp", "byType");
    private static final Set<String> STACKING = Set.of("none", "normal", "percent");

    private JsonNode dashboard;

    @BeforeEach
    void read() throws IOException {
        dashboard = new ObjectMapper()
                .readTree(Path.of("examples/grafana/dashboard.json").toFile());
    }

    private List<JsonNode> panels() {
        return list(dashboard.get("panels"));
    }

    /** The panels that show data; the others are headings. */
    private List<JsonNode> charts() {
        return panels().stream()
                .filter(panel -> !panel.get("type").asText().equals("row"))
                .toList();
    }

    private static List<JsonNode> list(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false).toList();
    }

    private static Set<String> names(JsonNode node) {
        Set<String> names = new TreeSet<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private Stream<JsonNode> targets() {
        return charts().stream().flatMap(panel -> list(panel.get("targets")).stream());
    }

    @Test
    void hasTheFieldsOfADashboardAndNoOthers() {
        assertThat(names(dashboard)).isEqualTo(new TreeSet<>(DASHBOARD));
        assertThat(dashboard.get("uid").asText()).matches("[A-Za-z0-9_-]{1,40}");
        assertThat(dashboard.get("schemaVersion").asInt()).isBetween(36, 41);
        assertThat(dashboard.get("graphTooltip").asInt()).isBetween(0, 2);
        assertThat(dashboard.get("refresh").asText()).matches("[1-9]\\d*[smh]");
        assertThat(names(dashboard.get("time"))).containsExactlyInAnyOrder("from", "to");
    }

    @Test
    void panelsAreOfKnownTypesWithTheirOptions() {
        assertThat(panels()).allSatisfy(panel -> assertThat(PANEL).containsAll(names(panel)));
        assertThat(panels().stream().map(panel -> panel.get("id").asInt())).doesNotHaveDuplicates();
        assertThat(charts()).isNotEmpty().allSatisfy(panel -> {
            assertThat(OPTIONS).containsKey(panel.get("type").asText());
            assertThat(OPTIONS.get(panel.get("type").asText())).containsAll(names(panel.get("options")));
        });
        assertThat(charts().stream().filter(panel -> panel.get("type").asText().equals("stat")))
                .allSatisfy(panel -> {
                    JsonNode reduced = panel.get("options").get("reduceOptions");
                    assertThat(names(reduced)).containsExactly("calcs", "fields", "values");
                    assertThat(list(reduced.get("calcs")))
                            .hasSize(1)
                            .allSatisfy(one -> assertThat(CALCULATIONS).contains(one.asText()));
                });
    }

    @Test
    void panelsDoNotOverlap() {
        Set<List<Integer>> taken = new HashSet<>();
        for (JsonNode panel : panels()) {
            JsonNode place = panel.get("gridPos");
            assertThat(names(place)).containsExactly("h", "w", "x", "y");
            int left = place.get("x").asInt();
            int top = place.get("y").asInt();
            assertThat(left + place.get("w").asInt()).isBetween(1, COLUMNS);
            for (int x = left; x < left + place.get("w").asInt(); x++) {
                for (int y = top; y < top + place.get("h").asInt(); y++) {
                    assertThat(taken.add(List.of(x, y)))
                            .as("%s, at column %d of line %d", panel.get("title"), x, y)
                            .isTrue();
                }
            }
        }
        int lines = taken.stream().mapToInt(place -> place.get(1)).max().orElseThrow() + 1;
        assertThat(taken).as("no hole in it").hasSize(lines * COLUMNS);
    }

    @Test
    void everythingUsesTheChosenDataSource() {
        List<JsonNode> asking = new ArrayList<>(charts());
        targets().forEach(asking::add);
        asking.addAll(list(dashboard.get("annotations").get("list")));
        JsonNode variables = dashboard.get("templating").get("list");
        list(variables).stream()
                .filter(one -> one.get("type").asText().equals("query"))
                .forEach(asking::add);
        assertThat(asking).hasSizeGreaterThan(30).allSatisfy(one -> {
            assertThat(names(one.get("datasource"))).containsExactly("type", "uid");
            assertThat(one.get("datasource").get("type").asText()).isEqualTo("prometheus");
            assertThat(one.get("datasource").get("uid").asText()).isEqualTo("${datasource}");
        });
        assertThat(variables.get(0).get("type").asText()).isEqualTo("datasource");
        assertThat(variables.get(0).get("name").asText()).isEqualTo("datasource");
        assertThat(variables.get(0).get("query").asText()).isEqualTo("prometheus");
        assertThat(list(variables)).allSatisfy(one -> {
            assertThat(VARIABLE).containsAll(names(one));
            assertThat(one.path("refresh").asInt()).isBetween(0, 2);
            assertThat(one.path("sort").asInt()).isBetween(0, 8);
        });
    }

    @Test
    void queriesAreForPrometheusAndEachHasALetter() {
        assertThat(targets()).allSatisfy(target -> assertThat(TARGET).containsAll(names(target)));
        assertThat(charts())
                .allSatisfy(panel -> assertThat(list(panel.get("targets")).stream()
                                .map(target -> target.get("refId").asText()))
                        .isNotEmpty()
                        .doesNotHaveDuplicates()
                        .allMatch(letter -> letter.matches("[A-Z]")));
    }

    @Test
    void variablesInQueriesExist() {
        Set<String> known = new HashSet<>(Set.of("__rate_interval", "__interval", "__range"));
        list(dashboard.get("templating").get("list"))
                .forEach(one -> known.add(one.get("name").asText()));
        assertThat(targets())
                .allSatisfy(target -> assertThat(Pattern.compile("\\$\\{?(\\w+)")
                                .matcher(target.get("expr").asText())
                                .results()
                                .map(found -> found.group(1)))
                        .allMatch(known::contains));
    }

    @Test
    void fieldsHaveKnownUnitsAndOverridesKnownMatchers() {
        assertThat(charts()).allSatisfy(panel -> {
            JsonNode fields = panel.get("fieldConfig");
            assertThat(names(fields)).containsExactly("defaults", "overrides");
            assertThat(FIELD).containsAll(names(fields.get("defaults")));
            assertThat(UNITS).contains(fields.get("defaults").get("unit").asText());
            for (JsonNode override : fields.get("overrides")) {
                assertThat(MATCHERS).contains(override.get("matcher").get("id").asText());
                assertThat(list(override.get("properties"))).isNotEmpty().allSatisfy(property -> {
                    String id = property.get("id").asText();
                    assertThat(id.startsWith("custom.") || FIELD.contains(id))
                            .as(id)
                            .isTrue();
                    if (id.equals("unit")) {
                        assertThat(UNITS).contains(property.get("value").asText());
                    }
                    if (id.equals("thresholds")) {
                        assertThat(property.get("value")
                                        .get("steps")
                                        .get(0)
                                        .get("value")
                                        .isNull())
                                .as("the first step is for all below the second")
                                .isTrue();
                    }
                });
            }
            for (JsonNode transformation : panel.path("transformations")) {
                assertThat(TRANSFORMATIONS).contains(transformation.get("id").asText());
            }
        });
        // An override by the letter of a query, and a renamed column, must be there.
        assertThat(charts()).allSatisfy(panel -> {
            Set<String> letters = new HashSet<>();
            panel.get("targets")
                    .forEach(target -> letters.add(target.get("refId").asText()));
            for (JsonNode override : panel.get("fieldConfig").get("overrides")) {
                JsonNode matcher = override.get("matcher");
                if (matcher.get("id").asText().equals("byFrameRefID")) {
                    assertThat(letters).contains(matcher.get("options").asText());
                } else if (matcher.get("id").asText().equals("byName")) {
                    assertThat(panel.path("transformations").toString())
                            .contains(matcher.get("options").asText());
                }
            }
        });
    }

    @Test
    void valuesOfOptionsAreKnown() {
        VALUES.forEach((name, values) -> assertThat(dashboard.findValues(name))
                .as(name)
                .isNotEmpty()
                .allSatisfy(value -> assertThat(values).contains(value.asText())));
        assertThat(dashboard.findValues("stacking"))
                .allSatisfy(stacking ->
                        assertThat(STACKING).contains(stacking.get("mode").asText()));
        assertThat(dashboard.findValues("tooltip")).allSatisfy(tooltip -> {
            assertThat(Set.of("single", "multi", "none"))
                    .contains(tooltip.get("mode").asText());
            assertThat(Set.of("none", "asc", "desc"))
                    .contains(tooltip.get("sort").asText());
        });
        assertThat(list(dashboard.get("panels")).stream()
                        .flatMap(panel -> list(panel.path("fieldConfig").path("overrides")).stream())
                        .flatMap(override -> list(override.get("properties")).stream())
                        .filter(property -> property.get("id").asText().equals("custom.lineStyle")))
                .isNotEmpty()
                .allSatisfy(style -> assertThat(Set.of("solid", "dash", "dot", "square"))
                        .contains(style.get("value").get("fill").asText()));
    }
}
