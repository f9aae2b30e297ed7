package dev.sluice.store.mongo.exchange;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What one batch of an instance was told of one counter.
 *
 * @param appliedMillis when it was applied
 * @param grants by the start of the window
 */
record Answers(String instance, long sequence, long appliedMillis, Map<Long, Grant> grants) {

    private static final String INSTANCE = "instance";
    private static final String SEQUENCE = "sequence";
    private static final String APPLIED = "applied";
    private static final String GRANTS = "grants";
    /** Start, total, granted, elsewhere; details follow. */
    private static final int FIXED = 4;

    Answers(String instance, long sequence, long appliedMillis, List<Claim> claims, List<Grant> grants) {
        this(instance, sequence, appliedMillis, byStart(claims, grants));
    }

    private static Map<Long, Grant> byStart(List<Claim> claims, List<Grant> grants) {
        Map<Long, Grant> byStart = new TreeMap<>();
        for (int i = 0; i < claims.size(); i++) {
            byStart.put(claims.get(i).key().start(), grants.get(i));
        }
        return byStart;
    }

    @Nullable Grant of(CounterKey key) {
        return grants.get(key.start());
    }

    Document document() {
        List<List<Long>> numbers = new ArrayList<>();
        grants.forEach((start, grant) -> {
            List<Long> one = new ArrayList<>(List.of(start, grant.total(), grant.granted(), grant.elsewhere()));
            one.addAll(grant.details());
            numbers.add(one);
        });
        return new Document(INSTANCE, instance)
                .append(SEQUENCE, sequence)
                .append(APPLIED, Instant.ofEpochMilli(appliedMillis))
                .append(GRANTS, numbers);
    }

    static Answers of(Document sender) {
        Map<Long, Grant> grants = new TreeMap<>();
        for (Object one : sender.getList(GRANTS, Object.class, List.of())) {
            if (!(one instanceof List<?> values) || values.size() < FIXED) {
                throw new IllegalArgumentException("not a grant");
            }
            List<Long> numbers = values.stream().map(Fields::number).toList();
            grants.put(
                    numbers.get(0),
                    new Grant(numbers.get(1), numbers.get(2), numbers.get(3), numbers.subList(FIXED, numbers.size())));
        }
        return new Answers(
                Fields.text(sender, INSTANCE), Fields.number(sender, SEQUENCE), Fields.time(sender, APPLIED), grants);
    }
}
