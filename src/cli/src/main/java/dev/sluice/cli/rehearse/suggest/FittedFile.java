package dev.sluice.cli.rehearse.suggest;

import static java.util.Objects.requireNonNull;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Field;
import dev.sluice.internal.config.yaml.Value.Fields;
import dev.sluice.internal.config.yaml.Value.Items;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.config.yaml.YamlTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A limits file in which thresholds are replaced and comments are added. The rest of the file is left unchanged. */
final class FittedFile {

    private static final Pattern NUMBER = Pattern.compile("\\d+(?![\\w.%/])");
    private static final Place NOWHERE = new Place(0, 0);

    private final String[] lines;
    /** The positions of the thresholds in an endpoint's tiers, by endpoint id. */
    private final Map<String, List<Place>> thresholds = new HashMap<>();

    private final Map<String, Integer> firstLines = new HashMap<>();
    private final Map<Place, Long> numbers = new HashMap<>();

    /** A position in the file. Lines and columns start at 1. */
    private record Place(int line, int column) {}

    /** Finds the thresholds in a valid file. */
    FittedFile(String yaml) {
        lines = yaml.split("\n", -1);
        Value root = requireNonNull(new YamlTree(Variables.asWritten(), new Findings("")).parse(yaml));
        for (Value endpoint : items(root, "endpoints")) {
            if (value(endpoint, "id") instanceof Text id) {
                thresholds.put(
                        id.content(),
                        items(endpoint, "tiers").stream()
                                .map(tier -> place(value(tier, "threshold")))
                                .toList());
                firstLines.put(id.content(), endpoint.position().line());
            }
        }
    }

    private static @Nullable Value value(Value map, String key) {
        Field field = map instanceof Fields fields ? fields.fields().get(key) : null;
        return field == null ? null : field.value();
    }

    private static List<Value> items(Value map, String key) {
        return value(map, key) instanceof Items items ? items.values() : List.of();
    }

    private static Place place(@Nullable Value value) {
        return value instanceof Text text
                ? new Place(text.position().line(), text.position().column())
                : NOWHERE;
    }

    /** Returns the threshold as written in the file; 0 if it is not a plain number but, for example, a variable. */
    long threshold(String endpoint, int tier) {
        Matcher number = number(placeOf(endpoint, tier));
        return number == null ? 0 : Long.parseLong(number.group());
    }

    /**
     * Replaces a threshold that is written as a number. If several tiers share the number through an alias, the largest
     * threshold wins.
     */
    void fit(String endpoint, int tier, long threshold) {
        numbers.merge(placeOf(endpoint, tier), threshold, Math::max);
    }

    private Place placeOf(String endpoint, int tier) {
        List<Place> places = thresholds.getOrDefault(endpoint, List.of());
        return tier < places.size() ? places.get(tier) : NOWHERE;
    }

    private @Nullable Matcher number(Place place) {
        if (place.equals(NOWHERE)) {
            return null;
        }
        String line = lines[place.line() - 1];
        Matcher number = NUMBER.matcher(line).region(line.offsetByCodePoints(0, place.column() - 1), line.length());
        return number.lookingAt() ? number : null;
    }

    /**
     * Returns the file with its new thresholds.
     *
     * @param comments the comments above each endpoint, by endpoint id
     */
    String yaml(Map<String, List<String>> comments) {
        String[] fitted = lines.clone();
        numbers.keySet().stream()
                // We replace from right to left, because a new number can shift the columns after it.
                .sorted(Comparator.comparing(Place::column).reversed())
                .forEach(place -> {
                    Matcher old = requireNonNull(number(place));
                    String line = fitted[place.line() - 1];
                    fitted[place.line() - 1] =
                            line.substring(0, old.start()) + numbers.get(place) + line.substring(old.end());
                });
        Map<Integer, List<String>> above = new HashMap<>();
        comments.forEach((endpoint, said) -> above.computeIfAbsent(firstLines.get(endpoint), line -> new ArrayList<>())
                .addAll(said));
        StringBuilder text = new StringBuilder();
        for (int line = 1; line <= fitted.length; line++) {
            String written = fitted[line - 1];
            String indent = written.substring(
                    0, written.length() - written.stripLeading().length());
            above.getOrDefault(line, List.of())
                    .forEach(said ->
                            text.append(indent).append("# ").append(said).append('\n'));
            text.append(written).append(line == fitted.length ? "" : "\n");
        }
        return text.toString();
    }
}
