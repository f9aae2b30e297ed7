package dev.sluice.internal.store.mongo.document;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one batch from an instance, for one counter.
 *
 * @param appliedMillis when the batch was applied
 * @param grants the grants, by the start of the window
 */
record CounterAnswer(String instance, long sequence, long appliedMillis, Map<Long, Grant> grants) {

    private static final char NAME = '|';
    private static final String NUMBER = ":";
    /** Separates the total from the number of given calls; absent if no calls were given. */
    private static final String GIVEN = "+";
    /**
     * The number of values in each grant before its details: start, total, granted, and elsewhere. If calls on other
     * instances could still return permits, elsewhere is -1.
     */
    private static final int FIXED = 4;

    CounterAnswer(String instance, long sequence, long appliedMillis, List<Statement> statements, List<Grant> grants) {
        this(instance, sequence, appliedMillis, byStart(statements, grants));
    }

    private static Map<Long, Grant> byStart(List<Statement> statements, List<Grant> grants) {
        Map<Long, Grant> byStart = new TreeMap<>();
        for (int i = 0; i < statements.size(); i++) {
            byStart.put(statements.get(i).key().start(), grants.get(i));
        }
        return byStart;
    }

    @Nullable Grant of(CounterKey key) {
        return grants.get(key.start());
    }

    /**
     * Converts the reply to text for a document: time, sequence number and grants, then a bar and the name of the
     * instance. The reply is stored as a single string, because an exchange would otherwise spend most of its time
     * encoding and decoding individual numbers. The name comes last, so it can contain any character.
     */
    String text() {
        StringBuilder text =
                new StringBuilder().append(appliedMillis).append(' ').append(sequence);
        grants.forEach((start, grant) -> {
            text.append(' ').append(start).append(NUMBER).append(grant.total());
            if (grant.given() > 0) {
                text.append(GIVEN).append(grant.given());
            }
            text.append(NUMBER).append(grant.granted()).append(NUMBER);
            text.append(grant.mayComeBack() ? -1 : grant.elsewhere());
            grant.details().forEach(detail -> text.append(NUMBER).append(detail));
        });
        return text.append(NAME).append(instance).toString();
    }

    /**
     * Parses the text.
     *
     * @throws IllegalArgumentException if the text is not a reply
     */
    static CounterAnswer of(String text) {
        int bar = text.indexOf(NAME);
        String[] parts = text.substring(0, Math.max(0, bar)).split(" ", -1);
        if (bar < 0 || parts.length < 2) {
            throw new IllegalArgumentException("not an answer");
        }
        Map<Long, Grant> grants = new TreeMap<>();
        for (String part : List.of(parts).subList(2, parts.length)) {
            int plus = part.indexOf(GIVEN);
            String given = plus < 0 ? "0" : part.substring(plus + 1, Math.max(plus + 1, part.indexOf(NUMBER, plus)));
            String without = plus < 0 ? part : part.replace(GIVEN + given, "");
            List<Long> numbers =
                    Stream.of(without.split(NUMBER, -1)).map(Long::valueOf).toList();
            if (numbers.size() < FIXED) {
                throw new IllegalArgumentException("not a grant");
            }
            List<Long> details = numbers.subList(FIXED, numbers.size());
            long elsewhere = Math.max(0, numbers.get(3));
            boolean mayComeBack = numbers.get(3) < 0;
            grants.put(
                    numbers.get(0),
                    new Grant(numbers.get(1), numbers.get(2), elsewhere, details, mayComeBack, Long.parseLong(given)));
        }
        return new CounterAnswer(text.substring(bar + 1), Long.parseLong(parts[1]), Long.parseLong(parts[0]), grants);
    }
}
