package dev.sluice.internal.store.mongo.admin;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The version of the overrides as a whole. It lists the generations of the data, latest first, each with its number of
 * changes. Each generation is identified by a random name, called its birth. The first change to an empty collection
 * starts a generation. An instance that restores overrides also starts a generation, and the list retains the earlier
 * generations that it knows. Therefore, overrides have been lost if the stored version does not contain the latest
 * generation that an instance knows, or if it contains fewer changes for that generation.
 */
record OverrideVersion(Map<String, Long> changes) {

    /** The version of empty data. */
    static final OverrideVersion NONE = new OverrideVersion(Map.of());

    static final String BIRTH = "birth";
    static final String NUMBER = "number";
    private static final String BEFORE = "before";
    private static final int MOST = 8;
    private static final int LONGEST = 512;

    /** The fields that queries return. */
    static final Bson FIELDS = Projections.include(BIRTH, NUMBER, BEFORE);

    /**
     * Matches documents that could be a version. The server applies the filter, so other documents never reach this
     * process.
     */
    static final Bson READABLE = Filters.and(
            OverrideDocument.isText(BIRTH, LONGEST),
            Filters.or(Filters.type(NUMBER, BsonType.INT64), Filters.type(NUMBER, BsonType.INT32)),
            OverrideDocument.isAbsentOr(BEFORE, OverrideDocument.isText(BEFORE, LONGEST)));

    private static final Pattern ONE = Pattern.compile("([\\w-]+)\\.(\\d{1,18})");
    private static final String NEVER_CHANGED = "none";

    static OverrideVersion of(String version) {
        Map<String, Long> changes = new LinkedHashMap<>();
        Matcher matcher = ONE.matcher(version);
        while (matcher.find()) {
            changes.put(matcher.group(1), Long.parseLong(matcher.group(2)));
        }
        return new OverrideVersion(changes);
    }

    static OverrideVersion of(@Nullable Document version) {
        return version == null ? NONE : of(version.get(BIRTH) + "." + version.get(NUMBER) + "," + version.get(BEFORE));
    }

    /** Whether this version lacks changes that the known version contains. */
    boolean lacks(OverrideVersion known) {
        return known.changes.entrySet().stream()
                .findFirst()
                .filter(latest -> changes.getOrDefault(latest.getKey(), 0L) < latest.getValue())
                .isPresent();
    }

    /** Creates the version document to write after restoring the overrides of the known version. */
    Document afterPuttingBack(String id, OverrideVersion known) {
        Map<String, Long> all = new LinkedHashMap<>(changes);
        known.changes.forEach((birth, number) -> all.merge(birth, number, Math::max));
        return new Document("_id", id)
                .append(BIRTH, UUID.randomUUID().toString())
                .append(NUMBER, 1L)
                .append(BEFORE, new OverrideVersion(all).joined());
    }

    /** Converts the version to text, for instances. */
    String text() {
        return changes.isEmpty() ? NEVER_CHANGED : joined();
    }

    private String joined() {
        return changes.entrySet().stream()
                .limit(MOST)
                .map(one -> one.getKey() + "." + one.getValue())
                .collect(Collectors.joining(","));
    }
}
