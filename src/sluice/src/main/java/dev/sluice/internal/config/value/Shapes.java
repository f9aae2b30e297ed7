package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.config.yaml.Value.Text.Style;
import dev.sluice.internal.text.EnumWord;
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
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shapes that many keys use. */
public final class Shapes {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]{1,18}(\\.[0-9]{1,3})?");
    private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+]?[0-9][0-9_]*");
    private static final Pattern FRACTION = Pattern.compile("[0-9]{1,15}\\.[0-9]{1,9}");
    private static final Pattern NUMBER_OR_BOOLEAN =
            Pattern.compile("true|false|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+");

    private Shapes() {}

    /** Returns the shape of any text. */
    public static Shape<Text> text(String noun, String example) {
        return scalar(noun, example).then((text, findings) -> {
            if (text.style() != Style.PLAIN
                    || !NUMBER_OR_BOOLEAN.matcher(text.content()).matches()) {
                return text;
            }
            String kind = text.content().matches("true|false") ? "true or false" : "a number";
            return findings.refuse(
                    ProblemCode.WRONG_TYPE,
                    text.position(),
                    Quote.plain(text.written()) + " is read as " + kind + ", but " + noun + " is expected; write "
                            + Quote.of(text.written()));
        });
    }

    /**
     * Returns the shape of {@code true} or {@code false}. It rejects {@code yes} and {@code on}, because not all YAML
     * parsers interpret them as booleans.
     */
    public static Shape<Boolean> trueOrFalse() {
        return scalar("true or false", "true").then((text, findings) -> {
            if (text.style() != Style.QUOTED && text.content().matches("true|false")) {
                return Boolean.valueOf(text.content());
            }
            String guess = text.content().toLowerCase(Locale.ROOT).matches("no?|off|false|f|0") ? "false" : "true";
            String unquoted = text.style() == Style.QUOTED ? " without quotes" : "";
            return findings.refuse(
                    ProblemCode.WRONG_TYPE, text, " is neither true nor false; write " + guess + unquoted);
        });
    }

    public static Shape<Long> wholeNumber(long least, long most) {
        return wholeNumber(least, most, Math.min(most, Math.max(least, 1000)));
    }

    private static Shape<Long> wholeNumber(long least, long most, long usual) {
        String example = String.valueOf(usual);
        return scalar("a whole number", example).then((text, findings) -> {
            if (text.style() == Style.QUOTED
                    || !WHOLE_NUMBER.matcher(text.content()).matches()) {
                return findings.refuse(
                        ProblemCode.WRONG_TYPE,
                        text,
                        " is not a whole number; write " + numberMeant(text, least, most, example));
            }
            return within(least, most, parse(text.content()), text, "a number from " + least + " to " + most, findings);
        });
    }

    /** Returns the shape of a whole number that fits into an {@code int}. */
    public static Shape<Integer> count(int least, int most) {
        return wholeNumber(least, most).then((number, findings) -> number.intValue());
    }

    /**
     * Returns the shape of a whole number that fits into an {@code int}. Messages show {@code usual} as the example.
     */
    public static Shape<Integer> count(int least, int most, int usual) {
        return wholeNumber(least, most, usual).then((number, findings) -> number.intValue());
    }

    /**
     * Returns the shape of a number with up to three decimal places.
     *
     * @param guess a function that guesses which number an invalid text denotes. It returns {@code null} if it has no
     *     guess
     */
    public static Shape<BigDecimal> number(
            BigDecimal least, BigDecimal most, Function<Text, @Nullable String> guess, String example) {
        return scalar("a number", example).then((text, findings) -> {
            if (text.style() == Style.QUOTED || !NUMBER.matcher(text.content()).matches()) {
                String meant = guess.apply(text);
                return findings.refuse(
                        ProblemCode.WRONG_TYPE,
                        text,
                        " is not a number with at most three decimal places; write "
                                + (meant == null ? example : meant));
            }
            BigDecimal number = new BigDecimal(text.content());
            return within(least, most, number, text, "a number from " + least + " to " + most, findings);
        });
    }

    /** Returns the number if it is within the range. Otherwise reports an error and returns {@code null}. */
    private static <N extends Comparable<N>> @Nullable N within(
            N least, N most, @Nullable N figure, Text text, String expected, Findings findings) {
        return figure != null && figure.compareTo(least) >= 0 && figure.compareTo(most) <= 0
                ? figure
                : findings.refuse(ProblemCode.OUT_OF_RANGE, text, " is out of range; write " + expected);
    }

    private static @Nullable Long parse(String digits) {
        try {
            return Long.valueOf(digits);
        } catch (NumberFormatException e) { // too large for a long
            return null;
        }
    }

    private static String numberMeant(Text text, long least, long most, String example) {
        String any = "a number, such as " + example;
        if (text.isSubstituted()) {
            return any;
        }
        if (LIKE_A_NUMBER.matcher(text.content()).matches()) {
            String digits = text.content().replace("_", "").replaceFirst("^([-+]?)0+(?=\\d)", "$1");
            return Quote.plain(digits) + (text.style() == Style.QUOTED ? " without quotes" : "");
        }
        if (FRACTION.matcher(text.content()).matches()) {
            long below = new BigDecimal(text.content()).longValue();
            return Math.max(least, below) + " or " + Math.min(most, below + 1);
        }
        Long meant = WrittenNumber.of(text.content());
        return meant != null && meant >= least && meant <= most ? meant.toString() : any;
    }

    public static Shape<Duration> duration(Duration least, Duration most) {
        return scalar("a duration", "10s").then((text, findings) -> {
            Duration duration = Durations.parse(text.content());
            if (duration == null) {
                String guess = Durations.guess(text.isSubstituted() ? "" : text.content());
                return findings.refuse(ProblemCode.NOT_A_DURATION, text, " is not a duration; write " + guess);
            }
            boolean isWhole = duration.truncatedTo(ChronoUnit.MILLIS).equals(duration);
            String range = "a duration from " + Durations.shortest(least) + " to " + Durations.shortest(most)
                    + ", in whole milliseconds";
            return within(least, most, isWhole ? duration : null, text, range, findings);
        });
    }

    /**
     * Returns the shape of an enum constant in the file's spelling, for example {@code dry-run} for {@code DRY_RUN}.
     */
    public static <E extends Enum<E>> Shape<E> word(Class<E> words) {
        Map<String, E> bySpelling = new LinkedHashMap<>();
        for (E word : words.getEnumConstants()) {
            bySpelling.put(EnumWord.of(word), word);
        }
        Set<String> known = bySpelling.keySet();
        String all = String.join(", ", known);
        return scalar("one of " + all, known.iterator().next()).then((text, findings) -> {
            E meaning = bySpelling.get(text.content());
            boolean isOff = text.content().equals("false") && known.contains("off"); // some tools rewrite off as false
            String hint = isOff ? "did you mean off?" : Nearest.meaning(text, known);
            return meaning != null
                    ? meaning
                    : findings.refuse(
                            ProblemCode.UNKNOWN_WORD,
                            text,
                            " is not one of " + all + (hint.isEmpty() ? "" : "; ") + hint);
        });
    }

    /** Returns the shape of a list that has at least one item and no repeated texts. */
    public static <T> Shape<List<T>> listOf(Shape<T> shape, String example, String ifEmpty) {
        return listOf(shape, item -> null, example, ifEmpty);
    }

    /**
     * Returns the shape of a list that has at least one item and no repeated texts.
     *
     * @param guess a function that corrects an invalid item. It returns {@code null} if it has no guess
     */
    public static <T> Shape<List<T>> listOf(
            Shape<T> shape, Function<Text, @Nullable String> guess, String example, String ifEmpty) {
        return (value, findings) -> {
            List<T> items = anyListOf(shape, guess, example).read(value, findings);
            if (value instanceof Value.Items list && list.values().isEmpty()) {
                return findings.refuse(ProblemCode.EMPTY, list.position(), "the list is empty; " + ifEmpty);
            }
            return items;
        };
    }

    /** Returns the shape of a single item, or of a list with at least one item. */
    public static <T> Shape<List<T>> oneOrMore(Shape<T> shape, String example, String ifEmpty) {
        Shape<List<T>> several = listOf(shape, example, ifEmpty);
        Shape<List<T>> one = shape.then((only, findings) -> List.of(only));
        return (value, findings) -> (value instanceof Value.Items ? several : one).read(value, findings);
    }

    /** Returns the shape of a list without repeated texts. The list can be empty. */
    public static <T> Shape<List<T>> anyListOf(Shape<T> shape, String example) {
        return anyListOf(shape, item -> null, example);
    }

    /**
     * Returns the shape of a list without repeated texts. The list can be empty. The guess works as in {@link #listOf}.
     */
    public static <T> Shape<List<T>> anyListOf(Shape<T> shape, Function<Text, @Nullable String> guess, String example) {
        return (value, findings) -> {
            if (!(value instanceof Value.Items list)) {
                mismatch(value, "a list", Hints.list(value, shape, guess, example), findings);
                if (Hints.isItem(shape, value)) {
                    shape.read(value, findings);
                }
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
                    findings.add(ProblemCode.LISTED_TWICE, text, " appears twice in this list; keep one");
                }
            }
            return items;
        };
    }

    /** Returns the shape of any map. */
    public static Shape<Value.Fields> map(String example) {
        return map(value -> Hints.map(value, example));
    }

    /** Returns the shape of any map. The hint suggests a replacement for a value of a different form. */
    static Shape<Value.Fields> map(Function<Value, String> hint) {
        return (value, findings) ->
                value instanceof Value.Fields fields ? fields : mismatch(value, "a map", hint.apply(value), findings);
    }

    /** Returns the shape of any scalar. Unlike {@link #text}, this shape accepts numbers. */
    public static Shape<Text> scalar(String noun, String example) {
        return (value, findings) ->
                value instanceof Text text && !text.isMissing() ? text : mismatch(value, noun, example, findings);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // null is of any type
    private static <T> @Nullable T mismatch(Value value, String noun, String example, Findings findings) {
        if (value instanceof Text text && text.isMissing()) {
            findings.add(
                    ProblemCode.EMPTY, value.position(), "there is no value; write " + noun + ", such as " + example);
        } else if (!(value instanceof Value.Broken)) {
            String kind = value instanceof Text ? "text" : value instanceof Value.Items ? "a list" : "a map";
            findings.add(
                    ProblemCode.WRONG_TYPE,
                    value.position(),
                    "expected " + noun + ", but found " + kind + "; write " + example);
        }
        return null;
    }
}
