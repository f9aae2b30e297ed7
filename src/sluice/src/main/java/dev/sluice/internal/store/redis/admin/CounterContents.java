package dev.sluice.internal.store.redis.admin;

import dev.sluice.CounterKey;
import dev.sluice.cell.CellState;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.redis.connection.RedisFailure;
import dev.sluice.internal.store.redis.connection.RedisLink;
import dev.sluice.internal.store.redis.connection.ShortFields;
import dev.sluice.internal.store.redis.script.StoredForm;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The contents of counters, as read from Redis. Reading does not change the counters. Unexpected content is treated as
 * 0.
 */
final class CounterContents {

    private static final Pattern COUNT =
            Pattern.compile("-?" + StoredForm.NUMBER + "|\\d{1," + StoredForm.LONGEST_COUNT + "}");
    private static final Pattern PACE =
            Pattern.compile("(?!0)" + StoredForm.NUMBER + "/(?!0)" + StoredForm.NUMBER + "\\S*");
    private static final Pattern ENTRY = Pattern.compile(StoredForm.NUMBER + " " + StoredForm.NUMBER);
    private static final Pattern LEASE = Pattern.compile(ENTRY + " " + ENTRY);
    private static final int READ_AT_ONCE = 500;

    private final long nowMillis;
    /** The stored strings, by the text of the key. */
    private final Map<String, String> texts;

    private final Map<String, Log> logs;
    private final Map<String, Map<String, String>> leases;

    private CounterContents(
            long nowMillis, Map<String, String> texts, Map<String, Log> logs, Map<String, Map<String, String>> leases) {
        this.nowMillis = nowMillis;
        this.texts = texts;
        this.logs = logs;
        this.leases = leases;
    }

    /** The calls in a sliding log that still count towards the limit. */
    private record Log(long calls, long oldestMillis) {
        Log plus(Log other) {
            boolean isOlder = calls == 0 || (other.calls > 0 && other.oldestMillis < oldestMillis);
            return new Log(calls + other.calls, isOlder ? other.oldestMillis : oldestMillis);
        }
    }

    static CompletableFuture<CounterContents> read(
            RedisClusterAsyncCommands<String, String> redis, List<LiveCounter> counters, long nowMillis) {
        CompletableFuture<Map<String, String>> texts = texts(redis, counters);
        CompletableFuture<Map<String, Log>> logs =
                each(counters, Rule.Log.class, (key, rule) -> log(redis, key, rule, nowMillis));
        CompletableFuture<Map<String, Map<String, String>>> leases =
                each(counters, Rule.Slots.class, (key, rule) -> orElse(leases(redis, key), Map.of()));
        return CompletableFuture.allOf(texts, logs, leases)
                .thenApply(done -> new CounterContents(nowMillis, texts.join(), logs.join(), leases.join()));
    }

    /** Reads the counters that are stored as strings. Skips missing keys and keys of other types. */
    private static CompletableFuture<Map<String, String>> texts(
            RedisClusterAsyncCommands<String, String> redis, List<LiveCounter> counters) {
        List<String> keys = new ArrayList<>();
        for (LiveCounter counter : counters) {
            if (counter.rule() instanceof Rule.Total
                    || counter.rule() instanceof Rule.Bucket
                    || counter.rule() instanceof Rule.Frame) {
                counter.keys().map(CounterKey::text).forEach(keys::add);
            }
        }
        CompletableFuture<Map<String, String>> read = CompletableFuture.completedFuture(new HashMap<>());
        for (int from = 0; from < keys.size(); from += READ_AT_ONCE) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + READ_AT_ONCE));
            read = read.thenCompose(texts -> RedisLink.all(
                            some.stream().map(key -> text(redis, key)).toList())
                    .thenApply(found -> {
                        IntStream.range(0, some.size()).forEach(i -> texts.put(some.get(i), found.get(i)));
                        return texts;
                    }));
        }
        return read;
    }

    /**
     * Reads a string, up to one character beyond the maximum length that Sluice writes. If that extra character exists,
     * another program must have written the string.
     */
    private static CompletionStage<String> text(RedisClusterAsyncCommands<String, String> redis, String key) {
        return orElse(redis.getrange(key, 0, StoredForm.LONGEST_BUCKET), "")
                .thenApply(text -> text == null || text.length() > StoredForm.LONGEST_BUCKET ? "" : text);
    }

    private static CompletionStage<Map<String, String>> leases(
            RedisClusterAsyncCommands<String, String> redis, String key) {
        return ShortFields.names(redis, key, StoredForm.MOST_SLOT_HOLDERS, StoredForm.LONGEST_SLOTS)
                .thenCompose(names -> ShortFields.values(redis, key, names.all(), StoredForm.LONGEST_SLOTS)
                        .thenApply(values -> {
                            Map<String, String> leases = new HashMap<>();
                            for (int i = 0; i < values.size(); i++) {
                                if (values.get(i) instanceof String lease) {
                                    leases.put(names.all().get(i), lease);
                                }
                            }
                            return leases;
                        }));
    }

    /**
     * Reads the calls of a log in the format that {@code log.lua} describes. The log can contain members that no longer
     * count, because each exchange removes only some of them.
     */
    private static CompletionStage<Log> log(
            RedisClusterAsyncCommands<String, String> redis, String key, Rule.Log rule, long nowMillis) {
        long since = Math.max(0, nowMillis - rule.periodMillis());
        return orElse(redis.zrangeWithScores(key, -1, -1), List.of())
                .thenCompose(last ->
                        RedisLink.all(IntStream.rangeClosed(0, last.isEmpty() ? -1 : doublings(last.get(0)))
                                .mapToObj(doublings -> members(redis, key, doublings, since))
                                .toList()))
                .thenApply(found -> found.stream().reduce(new Log(0, 0), Log::plus));
    }

    /** The number of times that a member's weight is doubled; -1 if Sluice did not write the member. */
    private static int doublings(ScoredValue<String> member) {
        double doublings = Math.max(0, Math.floor(member.getScore() / StoredForm.SPAN));
        return doublings > StoredForm.MOST_DOUBLINGS ? -1 : (int) doublings;
    }

    private static CompletionStage<Log> members(
            RedisClusterAsyncCommands<String, String> redis, String key, int doublings, long since) {
        long first = doublings * StoredForm.SPAN;
        Range<Long> alive =
                Range.from(Range.Boundary.excluding(first + since), Range.Boundary.excluding(first + StoredForm.SPAN));
        return orElse(redis.zcount(key, alive), 0L)
                .thenCombine(
                        orElse(redis.zrangebyscoreWithScores(key, alive, Limit.create(0, 1)), List.of()),
                        (members, oldest) -> new Log(
                                members << doublings,
                                oldest.isEmpty() ? 0 : (long) oldest.get(0).getScore() - first));
    }

    /** Reads each counter that has the given rule. Returns the results by the text of the key. */
    private static <R extends Rule, T> CompletableFuture<Map<String, T>> each(
            List<LiveCounter> counters, Class<R> rule, BiFunction<String, R, CompletionStage<T>> question) {
        List<CompletionStage<Map.Entry<String, T>>> asked = counters.stream()
                .filter(counter -> rule.isInstance(counter.rule()))
                .map(counter -> {
                    String key = counter.key().text();
                    return question.apply(key, rule.cast(counter.rule())).thenApply(answer -> Map.entry(key, answer));
                })
                .toList();
        return RedisLink.all(asked).thenApply(answers -> {
            Map<String, T> byKey = new HashMap<>();
            answers.forEach(answer -> byKey.put(answer.getKey(), answer.getValue()));
            return byKey;
        });
    }

    /** Replaces content of an unexpected type with a default value. */
    private static <T> CompletionStage<T> orElse(CompletionStage<T> answer, T otherwise) {
        return answer.exceptionallyCompose(failure -> RedisFailure.isAnswer(failure)
                ? CompletableFuture.completedStage(otherwise)
                : CompletableFuture.failedStage(failure));
    }

    /**
     * The grant that describes one counter.
     *
     * @param shares provides the permits that instances hold of the counter and of its earlier frames
     */
    Grant grant(LiveCounter counter, Function<CounterKey, HeldShares> shares) {
        HeldShares held = shares.apply(counter.key());
        if (counter.rule() instanceof Rule.Total) {
            return new Grant(total(counter, held), 0, held.alive(), List.of(), false, held.given());
        }
        if (counter.rule() instanceof Rule.Frame frame) {
            List<Long> before = IntStream.rangeClosed(1, frame.frames())
                    .mapToObj(back -> Math.max(0, number(counter, back))
                            - shares.apply(counter.key().earlier(back)).given())
                    .toList();
            return new Grant(total(counter, held), 0, held.alive(), before, false, held.given());
        }
        if (counter.rule() instanceof Rule.Bucket flow) {
            String text = texts.getOrDefault(counter.key().text(), "");
            long units = ahead(flow, text, held.uncounted(text.isEmpty())) + held.alive() * flow.token();
            return new Grant(nowMillis * flow.milli() + units, 0, held.alive());
        }
        if (counter.rule() instanceof Rule.Log rule) {
            Log noted = logs.getOrDefault(counter.key().text(), new Log(0, 0));
            Log log = held.uncounted(noted.calls() == 0).stream()
                    .filter(one -> one.sinceMillis() > nowMillis - rule.periodMillis())
                    .map(one -> new Log(one.permits(), one.sinceMillis()))
                    .reduce(noted, Log::plus);
            return new Grant(log.calls() + held.alive(), 0, held.alive(), List.of(log.oldestMillis()));
        }
        return leased(leases.getOrDefault(counter.key().text(), Map.of()));
    }

    /**
     * The count of a window or frame. If Redis no longer has the count, this is the number of held and lapsed permits.
     */
    private long total(LiveCounter counter, HeldShares held) {
        boolean isDeleted = texts.getOrDefault(counter.key().text(), "").isEmpty();
        return isDeleted ? Math.min(held.all(), StoredForm.MOST_COUNT) : Math.max(0, number(counter, 0));
    }

    private long number(LiveCounter counter, int framesBefore) {
        String text = texts.getOrDefault(counter.key().earlier(framesBefore).text(), "");
        return COUNT.matcher(text).matches() ? Math.min(Long.parseLong(text), StoredForm.MOST_COUNT) : 0;
    }

    /** The number of units that the bucket lacks. Lapsed permits count as used at the end of their leases. */
    private long ahead(Rule.Bucket flow, String text, List<Lapsed> lapsed) {
        Gcra gcra = new Gcra(flow.token(), flow.milli(), flow.depth(), flow.furthest());
        Matcher pace = PACE.matcher(text);
        boolean isOurs = pace.lookingAt();
        if (!isOurs && !text.isEmpty()) {
            return 0;
        }
        long token = isOurs ? Long.parseLong(pace.group(1)) : flow.token();
        long milli = isOurs ? Long.parseLong(pace.group(2)) : flow.milli();
        BusyPeriods taken = new BusyPeriods(new Gcra(token, milli, Long.MAX_VALUE, Long.MAX_VALUE));
        Matcher entry = ENTRY.matcher(isOurs ? text.substring(pace.end()) : "");
        List<CellState.Busy> uses = new ArrayList<>();
        while (entry.find()) {
            uses.add(new CellState.Busy(Long.parseLong(entry.group(1)), Long.parseLong(entry.group(2))));
        }
        lapsed.forEach(one -> uses.add(new CellState.Busy(one.sinceMillis(), one.permits())));
        uses.sort(Comparator.comparingLong(CellState.Busy::startMillis));
        uses.forEach(use -> taken.restore(use.startMillis(), use.calls()));
        return taken.following(gcra, nowMillis, nowMillis).ahead(nowMillis);
    }

    private Grant leased(Map<String, String> instances) {
        long taken = 0;
        long held = 0;
        for (String text : instances.values()) {
            Matcher lease = LEASE.matcher(text);
            if (lease.matches() && Long.parseLong(lease.group(4)) > nowMillis) {
                held += Long.parseLong(lease.group(2));
                taken += Long.parseLong(lease.group(1)) + Long.parseLong(lease.group(2));
            }
        }
        return new Grant(taken, 0, held);
    }
}
