package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.value.Hints;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the {@code count} key of an endpoint. It specifies which responses make a call count against the limit. */
final class CountSection {

    private static final Pattern CLASS = Pattern.compile("[1-5]xx");
    private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+.]?[0-9][-+.0-9eE_]*");

    /** A class of statuses in a different notation: {@code 4XX}, {@code 4**}, {@code 400-499}. */
    private static final Pattern LIKE_A_CLASS = Pattern.compile("([1-5])(?:[xX]{1,2}|\\*{1,2}|00 ?- ?\\1?99)");

    private static final Shape<Set<Integer>> ONE =
            Shapes.count(100, 599, 401).then((status, findings) -> Set.of(status));

    private static final String EXAMPLE = "[ 401, 403 ]";

    private CountSection() {}

    /**
     * A filter that selects the calls that count against the limit.
     *
     * @param statuses the response statuses that count; empty if all statuses count
     * @param failedLogins whether only failed logins count
     */
    record CountFilter(Set<Integer> statuses, boolean failedLogins) {

        /** The filter that selects all calls. */
        static final CountFilter ALL = new CountFilter(Set.of(), false);

        /** Whether the filter selects only some calls. */
        boolean someOnly() {
            return failedLogins || !statuses.isEmpty();
        }
    }

    /** The values of the {@code outcome} key. */
    private enum CountedOutcome {
        LOGIN_FAILURE
    }

    static CountFilter read(Section endpoint) {
        Shape<CountFilter> filter = Section.shape(
                value -> "{ status: " + Hints.list(value, CountSection::statuses, CountSection::meant, EXAMPLE) + " }",
                EXAMPLE,
                CountSection::filter);
        return endpoint.optional("count", filter, CountFilter.ALL);
    }

    private static CountFilter filter(Section count, Findings findings) {
        @Nullable CountedOutcome outcome = count.optional("outcome", Shapes.word(CountedOutcome.class));
        List<Set<Integer>> statuses = count.optional(
                "status",
                Shapes.listOf(
                        CountSection::statuses,
                        CountSection::meant,
                        EXAMPLE,
                        "write at least one status, such as 401, or remove the key to count all responses"),
                List.of());
        if (outcome != null && !statuses.isEmpty()) {
            findings.add(
                    ProblemCode.CONTRADICTION,
                    count.position(),
                    "status and outcome both specify which calls count; keep one of the two");
        }
        return new CountFilter(statuses.stream().flatMap(Set::stream).collect(Collectors.toSet()), outcome != null);
    }

    private static @Nullable Set<Integer> statuses(Value value, Findings findings) {
        if (!(value instanceof Text text)
                || text.isMissing()
                || (LIKE_A_NUMBER.matcher(text.content()).matches() && meant(text) == null)) {
            return ONE.read(value, findings);
        }
        if (CLASS.matcher(text.content()).matches()) {
            int first = Character.digit(text.content().charAt(0), 10) * 100;
            return IntStream.range(first, first + 100).boxed().collect(Collectors.toCollection(HashSet::new));
        }
        return findings.refuse(
                ProblemCode.WRONG_TYPE,
                text,
                " is not a status; write "
                        + (meant(text) == null
                                ? "one, such as 401, or a class of them, such as \"5xx\""
                                : meant(text)));
    }

    /** Guesses which class of statuses a text in a different notation denotes; {@code null} if there is no guess. */
    private static @Nullable String meant(Text text) {
        Matcher matcher = LIKE_A_CLASS.matcher(text.content());
        boolean isClass = !text.isSubstituted() && matcher.matches();
        return isClass ? matcher.group(1) + "xx" : null;
    }
}
