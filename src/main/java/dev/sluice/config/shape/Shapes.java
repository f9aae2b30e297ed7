package dev.sluice.config.shape;

import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.config.yaml.Value.Text.Style;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The shapes that values of a file have. */
public final class Shapes {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]{1,18}(\\.[0-9]{1,3})?");
    private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+]?[0-9][0-9_]*");
    private static final Pattern NO_TEXT =
            Pattern.compile("true|false|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+");

    private Shapes() {}

    /** Any text. */
    public static Shape<Text> text(String noun, String example) {
        return (value, findings) -> {
            Text text = scalar(value, noun, example, findings);
            if (text != null
                    && text.style() == Style.PLAIN
                    && NO_TEXT.matcher(text.content()).matches()) {
                String kind = text.content().matches("true|false") ? "true or false" : "a number";
                findings.add(
                        ProblemCode.WRONG_TYPE,
                        text.position(),
                        text.written() + " is read as " + kind + " where " + noun + " is expected; write \""
                                + text.written() + "\"");
                return null;
            }
            return text;
        };
    }

    /** {@code true} or {@code false}; not {@code yes} or {@code on}, which not all readers of YAML take for that. */
    public static Shape<Boolean> truth() {
        return (value, findings) -> {
            Text text = scalar(value, "true or false", "true", findings);
            if (text == null || (text.style() != Style.QUOTED && text.content().matches("true|false"))) {
                return text == null ? null : Boolean.valueOf(text.content());
            }
            String guess = text.content().toLowerCase(Locale.ROOT).matches("no?|off|false|f|0") ? "false" : "true";
            findings.add(
                    ProblemCode.WRONG_TYPE, text, " is neither true nor false; write " + guess + " without quotes");
            return null;
        };
    }

    public static Shape<Long> wholeNumber(long least, long most) {
        String example = String.valueOf(Math.min(most, Math.max(least, 1000)));
        return (value, findings) -> {
            Text text = scalar(value, "a whole number", example, findings);
            if (text == null) {
                return null;
            }
            if (text.style() == Style.QUOTED
                    || !WHOLE_NUMBER.matcher(text.content()).matches()) {
                findings.add(
                        ProblemCode.WRONG_TYPE, text, " is not a whole number; write " + numberMeant(text, example));
                return null;
            }
            return within(least, most, parse(text.content()), text, "a number from " + least + " to " + most, findings);
        };
    }

    /** A number with up to three decimals. */
    public static Shape<BigDecimal> number(BigDecimal least, BigDecimal most, String example) {
        return (value, findings) -> {
            Text text = scalar(value, "a number", example, findings);
            if (text == null) {
                return null;
            }
            if (text.style() == Style.QUOTED || !NUMBER.matcher(text.content()).matches()) {
                findings.add(
                        ProblemCode.WRONG_TYPE, text, " is not a number with at most three decimals; write " + example);
                return null;
            }
            BigDecimal number = new BigDecimal(text.content());
            return within(least, most, number, text, "a number from " + least + " to " + most, findings);
        };
    }

    /** The figure if it is between the two; otherwise {@code null}, after a report. */
    private static <N extends Comparable<N>> @Nullable N within(
            N least, N most, @Nullable N figure, Text text, String expected, Findings findings) {
        if (figure != null && figure.compareTo(least) >= 0 && figure.compareTo(most) <= 0) {
            return figure;
        }
        findings.add(ProblemCode.OUT_OF_RANGE, text, " is out of range; write " + expected);
        return null;
    }

    private static @Nullable Long parse(String digits) {
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException e) { // too long for a long
            return null;
        }
    }

    private static String numberMeant(Text text, String example) {
        if (text.style() == Style.SUBSTITUTED
                || !LIKE_A_NUMBER.matcher(text.content()).matches()) {
            return example;
        }
        String digits = text.content().replace("_", "").replaceFirst("^([-+]?)0+(?=\\d)", "$1");
        return digits + (text.style() == Style.QUOTED ? " without quotes" : "");
    }

    public static Shape<Duration> duration(Duration least, Duration most) {
        return (value, findings) -> {
            Text text = scalar(value, "a duration", "10s", findings);
            if (text == null) {
                return null;
            }
            Duration duration = Durations.parse(text.content());
            if (duration == null) {
                String guess = Durations.guess(text.style() == Style.SUBSTITUTED ? "" : text.content());
                findings.add(ProblemCode.NOT_A_DURATION, text, " is not a duration; write " + guess);
                return null;
            }
            boolean isWhole = duration.truncatedTo(ChronoUnit.MILLIS).equals(duration);
            String range = "a duration from " + Durations.shortest(least) + " to " + Durations.shortest(most)
                    + ", in whole milliseconds";
            return within(least, most, isWhole ? duration : null, text, range, findings);
        };
    }

    /** One of the words of an enum, in the file's spelling: {@code dry-run} for {@code DRY_RUN}. */
    public static <E extends Enum<E>> Shape<E> word(Class<E> words) {
        Map<String, E> bySpelling = new LinkedHashMap<>();
        for (E word : words.getEnumConstants()) {
            bySpelling.put(word.name().toLowerCase(Locale.ROOT).replace('_', '-'), word);
        }
        return word(bySpelling, Set.of());
    }

    /**
     * One of these words.
     *
     * @param notYet words that will have a meaning in a later version
     */
    public static <T> Shape<T> word(Map<String, T> meanings, Set<String> notYet) {
        List<String> known = List.copyOf(meanings.keySet());
        return (value, findings) -> {
            Text text = scalar(value, "one of " + String.join(", ", known), known.get(0), findings);
            T meaning = text == null ? null : meanings.get(text.content());
            if (text != null && notYet.contains(text.content())) {
                findings.add(
                        ProblemCode.NOT_SUPPORTED_YET,
                        text,
                        " is not supported yet; write " + String.join(" or ", known));
            } else if (text != null && meaning == null) {
                findings.add(
                        ProblemCode.UNKNOWN_WORD,
                        text,
                        " is not one of " + String.join(", ", known) + guess(text, known, notYet));
            }
            return meaning;
        };
    }

    private static String guess(Text text, List<String> known, Set<String> notYet) {
        List<String> words = new ArrayList<>(known);
        words.addAll(notYet);
        String guess = text.style() == Style.SUBSTITUTED ? null : Nearest.to(text.content(), words);
        if (text.content().equals("false") && known.contains("off")) { // what some tools make of a plain off
            guess = "off";
        }
        return guess == null ? "" : "; did you mean " + guess + "?";
    }

    /** A list of one or more items, no text twice. */
    public static <T> Shape<List<T>> listOf(Shape<T> shape, String example, String ifEmpty) {
        return (value, findings) -> {
            List<T> items = anyListOf(shape, example).read(value, findings);
            if (value instanceof Value.Items list && list.values().isEmpty()) {
                findings.add(ProblemCode.EMPTY, list.position(), "the list is empty; " + ifEmpty);
                return null;
            }
            return items;
        };
    }

    /** A list, which may be empty, no text twice. */
    public static <T> Shape<List<T>> anyListOf(Shape<T> shape, String example) {
        return (value, findings) -> {
            if (!(value instanceof Value.Items list)) {
                mismatch(value, "a list", example, findings);
                return null;
            }
            List<T> items = new ArrayList<>();
            Map<String, Value> seen = new HashMap<>();
            for (Value item : list.values()) {
                T read = shape.read(item, findings);
                if (read != null) {
                    items.add(read);
                }
                if (item instanceof Text text && seen.put(text.content(), text) != null) {
                    findings.add(ProblemCode.LISTED_TWICE, text, " stands in this list twice; keep one");
                }
            }
            return items;
        };
    }

    /** The value if it is a map; otherwise {@code null}, after a report. */
    public static Value.@Nullable Fields fields(Value value, String example, Findings findings) {
        if (value instanceof Value.Fields fields) {
            return fields;
        }
        mismatch(value, "a map", example, findings);
        return null;
    }

    private static @Nullable Text scalar(Value value, String noun, String example, Findings findings) {
        if (value instanceof Text text && !text.isMissing()) {
            return text;
        }
        mismatch(value, noun, example, findings);
        return null;
    }

    private static void mismatch(Value value, String noun, String example, Findings findings) {
        if (value instanceof Text text && text.isMissing()) {
            findings.add(
                    ProblemCode.EMPTY, value.position(), "there is no value; write " + noun + ", such as " + example);
        } else if (!(value instanceof Value.Broken)) {
            findings.add(
                    ProblemCode.WRONG_TYPE,
                    value.position(),
                    value.kind() + " stands where " + noun + " is expected; write " + example);
        }
    }
}
