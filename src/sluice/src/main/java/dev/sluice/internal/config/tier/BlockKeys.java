package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.tier.BlockRule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code block} key of a tier. The key defines when, and for how long, Sluice blocks callers who keep calling
 * after refusals.
 */
final class BlockKeys {

    private static final String EXAMPLE = "{ after: 20, within: 1m, for: 15m, upTo: 24h }";

    /** A rule written as a sentence, such as {@code 20 refusals in 1m}. */
    private static final Pattern SENTENCE =
            Pattern.compile("([1-9]\\d{0,3})(?:\\s*+[a-z]++)?\\s++(?:with)?in\\s++(?:a\\s++)?([0-9A-Za-z]{1,10})");

    /** Words that users might write instead of {@code upTo}. */
    private static final List<String> OTHER_WORDS = List.of("doubling", "doubling to", "doublingTo", "to", "max");

    private BlockKeys() {}

    /**
     * Reads the rule. Reports an invalid rule. Returns {@code null} if the rule is missing or invalid.
     *
     * @param isConcurrency whether the algorithm of the tier is {@code concurrency}
     * @param whyNot the message that explains why {@code block} cannot be used here; empty if it can be used
     */
    static @Nullable BlockRule read(Section tier, boolean isConcurrency, String whyNot) {
        if (isConcurrency) {
            tier.misplaced(
                    "block",
                    "concurrency also refuses well-behaved callers while their own calls are in flight; remove this "
                            + "key, or move it to a tier with a period");
            return null;
        }
        Shape<BlockRule> rule = Section.shape(BlockKeys::meant, EXAMPLE, BlockKeys::rule);
        return tier.optional("block", (value, findings) -> {
            BlockRule read = rule.read(value, findings);
            return read == null || whyNot.isEmpty()
                    ? read
                    : findings.refuse(ProblemCode.BLOCKS_OTHERS, value.position(), whyNot);
        });
    }

    /** Guesses which map a text stands for; {@code null} if there is no guess. */
    private static @Nullable String meant(Value value) {
        String start = value instanceof Text text && !text.isSubstituted() ? start(text) : null;
        return start == null ? null : "{ " + start + ", for: 15m }";
    }

    /** Guesses the first two keys of the map that a text stands for; {@code null} if there is no guess. */
    private static @Nullable String start(Text text) {
        WrittenRate rate = WrittenRate.of(text);
        Matcher sentence = SENTENCE.matcher(text.content());
        if (rate != null) {
            return "after: " + rate.calls() + ", within: " + rate.period();
        }
        return sentence.matches()
                ? "after: " + sentence.group(1) + ", within: " + Durations.guess(sentence.group(2))
                : null;
    }

    private static @Nullable BlockRule rule(Section keys, Findings findings) {
        Integer after = keys.required("after", after(), "after: 20");
        Duration within =
                keys.required("within", Shapes.duration(Duration.ofMillis(1), BlockRule.LONGEST_WITHIN), "within: 1m");
        Duration lasts = keys.required("for", Shapes.duration(BlockRule.SHORTEST, BlockRule.LONGEST), "for: 15m");
        Duration upTo = keys.optional("upTo", upTo(lasts));
        OTHER_WORDS.forEach(word -> keys.mistaken(word, "upTo sets the longest block; write, for example, upTo: 24h"));
        return after == null || within == null || lasts == null || !keys.isValid()
                ? null
                : new BlockRule(after, within, lasts, Objects.requireNonNullElse(upTo, lasts));
    }

    private static Shape<Integer> after() {
        Shape<Integer> number = Shapes.count(1, BlockRule.MOST_REFUSALS);
        return (value, findings) -> {
            String start = value instanceof Text text && !text.isSubstituted() ? start(text) : null;
            return start != null && value instanceof Text text
                    ? findings.refuse(ProblemCode.WRONG_TYPE, text, " is not a number of refusals; write " + start)
                    : number.read(value, findings);
        };
    }

    private static Shape<Duration> upTo(@Nullable Duration lasts) {
        Shape<Duration> duration = Shapes.duration(BlockRule.SHORTEST, BlockRule.LONGEST);
        return (value, findings) -> {
            Duration upTo = duration.read(value, findings);
            return upTo == null || lasts == null || upTo.compareTo(lasts) >= 0
                    ? upTo
                    : findings.refuse(
                            ProblemCode.CONTRADICTION,
                            value.position(),
                            "blocks start at " + Durations.shortest(lasts) + ", so they cannot grow to "
                                    + Durations.shortest(upTo) + "; increase the value of upTo, or reduce the "
                                    + "value of for");
        };
    }
}
