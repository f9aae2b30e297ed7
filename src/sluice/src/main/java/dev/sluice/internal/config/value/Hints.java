package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.config.yaml.Value.Text.Style;
import dev.sluice.internal.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Suggests replacements for values of the wrong form. The suggestion is a corrected version if possible, and otherwise
 * an example.
 */
public final class Hints {

    private static final Pattern KEY_AND_VALUE = Pattern.compile("[A-Za-z]{1,30}:(?!//)\\S.*");
    private static final Pattern BETWEEN_ITEMS = Pattern.compile("\\s*,\\s*|\\s+");
    private static final int MOST_ITEMS = 16;
    private static final Collector<CharSequence, ?, String> LIST = Collectors.joining(", ", "[ ", " ]");

    private Hints() {}

    /**
     * Guesses which list an invalid value stands for. The value can be a single item, a text with several items, or a
     * list with invalid items.
     *
     * @param guess a function that corrects an invalid item. It returns {@code null} if it has no guess
     */
    public static String list(Value value, Shape<?> item, Function<Text, @Nullable String> guess, String example) {
        if (value instanceof Value.Fields map && map.fields().size() <= MOST_ITEMS) {
            String written = flat(map);
            return written != null && isItem(item, map) ? "[ " + written + " ]" : example;
        }
        if (value instanceof Value.Items list && list.values().size() <= MOST_ITEMS) {
            List<Value> items = list.values();
            boolean isRight = items.stream().allMatch(one -> one instanceof Text && isValid(item, one));
            return isRight ? items.stream().map(one -> ((Text) one).asWritten()).collect(LIST) : example;
        }
        if (!(value instanceof Text text) || text.isMissing()) {
            return example;
        }
        String whole = one(text, item, guess);
        if (whole != null || text.isSubstituted()) {
            return whole == null ? example : "[ " + whole + " ]";
        }
        List<String> items = new ArrayList<>();
        for (String part : BETWEEN_ITEMS.split(text.content(), MOST_ITEMS)) {
            String one = one(new Text(text.position(), part, part, text.style()), item, guess);
            if (one == null) {
                return example;
            }
            items.add(one);
        }
        return items.stream().collect(LIST);
    }

    private static @Nullable String one(Text text, Shape<?> item, Function<Text, @Nullable String> guess) {
        return isValid(item, text) ? text.asWritten() : guess.apply(text);
    }

    static boolean isValid(Shape<?> shape, Value value) {
        return shape.read(value, new Findings("")) != null;
    }

    /** Whether a map of texts is probably meant as an item, even if it contains mistakes. */
    static boolean isItem(Shape<?> item, Value value) {
        if (!(value instanceof Value.Fields map) || flat(map) == null) {
            return false;
        }
        Findings inside = new Findings("");
        item.read(map, inside);
        return inside.problems().stream()
                .noneMatch(problem -> problem.code().equals(ProblemCode.WRONG_TYPE.text())
                        && problem.path().equals(SafeText.of(map.position().path())));
    }

    /** Formats a map of texts on one line. Returns {@code null} if the map contains other values. */
    private static @Nullable String flat(Value.Fields map) {
        boolean isFlat = map.fields().values().stream().allMatch(field -> field.value() instanceof Text);
        return isFlat
                ? map.fields().entrySet().stream().map(Hints::pair).collect(Collectors.joining(", ", "{ ", " }"))
                : null;
    }

    private static String pair(Map.Entry<String, Value.Field> field) {
        return field.getKey() + ": " + (field.getValue().value() instanceof Text text ? text.asWritten() : "");
    }

    /**
     * Returns a hint for {@code key:value} without a space after the colon, because YAML reads it as a single text. For
     * any other value, returns the example. The hint does not quote the text, because the text can be a secret that
     * contains a colon.
     */
    static String map(Value value, String example) {
        boolean isPair = value instanceof Text text
                && text.style() == Style.PLAIN
                && KEY_AND_VALUE.matcher(text.content()).matches();
        return isPair ? "a space after the colon, as in " + example : example;
    }
}
