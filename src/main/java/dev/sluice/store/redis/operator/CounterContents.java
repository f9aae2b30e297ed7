package dev.sluice.store.redis.operator;

import dev.sluice.algorithm.BusyPeriods;
import dev.sluice.algorithm.Gcra;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.operated.LiveCounter;
import dev.sluice.store.redis.link.RedisFailure;
import dev.sluice.store.redis.link.RedisLink;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The contents of some counters in Redis, read without a change. Unexpected content counts as 0. */
final class CounterContents {

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}");
    private static final Pattern ENTRY = Pattern.compile("(\\d{1,15}) (\\d{1,15})");
    private static final Pattern LEASE = Pattern.compile("(\\d{1,15}) (\\d{1,15}) (\\d{1,15}) (\\d{1,15})");
    private static final int MOST_ARGUMENTS = 500;

    private final long nowMillis;
    /** By the text of the key. */
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

    /** The calls of a sliding log that still count. */
    private record Log(long calls, long oldestMillis) {}

    static CompletableFuture<CounterContents> read(
            RedisClusterAsyncCommands<String, String> redis, List<LiveCounter> counters, long nowMillis) {
        CompletableFuture<Map<String, String>> texts = texts(redis, counters);
        CompletableFuture<Map<String, Log>> logs =
                each(counters, Rule.Log.class, (key, rule) -> log(redis, key, rule, nowMillis));
        CompletableFuture<Map<String, Map<String, String>>> leases =
                each(counters, Rule.Places.class, (key, rule) -> orElse(redis.hgetall(key), Map.of()));
        return CompletableFuture.allOf(texts, logs, leases)
                .thenApply(done -> new CounterContents(nowMillis, texts.join(), logs.join(), leases.join()));
    }

    /** Reads plain texts; missing ones and other types are left out. */
    private static CompletableFuture<Map<String, String>> texts(
            RedisClusterAsyncCommands<String, String> redis, List<LiveCounter> counters) {
        List<String> keys = new ArrayList<>();
        for (LiveCounter counter : counters) {
            if (counter.rule() instanceof Rule.Total || counter.rule() instanceof Rule.Bucket) {
                keys.add(counter.key().text());
            } else if (counter.rule() instanceof Rule.Frame frame) {
                IntStream.rangeClosed(0, frame.frames())
                        .forEach(back -> keys.add(counter.key().earlier(back).text()));
            }
        }
        List<CompletionStage<List<KeyValue<String, String>>>> asked = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += MOST_ARGUMENTS) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + MOST_ARGUMENTS));
            asked.add(redis.mget(some.toArray(String[]::new)));
        }
        return RedisLink.all(asked).thenApply(answers -> {
            Map<String, String> texts = new HashMap<>();
            answers.forEach(found -> found.forEach(one -> one.ifHasValue(text -> texts.put(one.getKey(), text))));
            return texts;
        });
    }

    private static CompletionStage<Log> log(
            RedisClusterAsyncCommands<String, String> redis, String key, Rule.Log rule, long nowMillis) {
        Range<Long> counting =
                Range.from(Range.Boundary.excluding(nowMillis - rule.periodMillis()), Range.Boundary.unbounded());
        CompletionStage<Long> calls = orElse(redis.zcount(key, counting), 0L);
        CompletionStage<List<ScoredValue<String>>> oldest = orElse(redis.zrangeWithScores(key, 0, 0), List.of());
        return calls.thenCombine(
                oldest,
                (number, first) -> new Log(
                        number, first.isEmpty() ? 0 : (long) first.get(0).getScore()));
    }

    /** Reads each counter with this rule; the answers by the texts of the keys. */
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

    /** Content of an unexpected type counts as nothing. */
    private static <T> CompletionStage<T> orElse(CompletionStage<T> answer, T otherwise) {
        return answer.exceptionallyCompose(failure -> RedisFailure.isAnswer(failure)
                ? CompletableFuture.completedStage(otherwise)
                : CompletableFuture.failedStage(failure));
    }

    /** The figures of one of the counters, with what instances hold of it. */
    Grant grant(LiveCounter counter, HeldShares held) {
        if (counter.rule() instanceof Rule.Total) {
            return new Grant(Math.max(0, number(counter, 0) - held.lapsed()), 0, held.alive());
        }
        if (counter.rule() instanceof Rule.Frame frame) {
            List<Long> before = IntStream.rangeClosed(1, frame.frames())
                    .mapToObj(back -> Math.max(0, number(counter, back)))
                    .toList();
            return new Grant(Math.max(0, number(counter, 0) - held.lapsed()), 0, held.alive(), before);
        }
        if (counter.rule() instanceof Rule.Bucket flow) {
            long units = ahead(flow, texts.getOrDefault(counter.key().text(), "")) + held.alive() * flow.token();
            return new Grant(nowMillis * flow.milli() + units, 0, held.alive());
        }
        if (counter.rule() instanceof Rule.Log) {
            Log log = logs.getOrDefault(counter.key().text(), new Log(0, 0));
            return new Grant(log.calls() + held.alive(), 0, held.alive(), List.of(log.oldestMillis()));
        }
        return leased(leases.getOrDefault(counter.key().text(), Map.of()));
    }

    private long number(LiveCounter counter, int framesBefore) {
        String text = texts.getOrDefault(counter.key().earlier(framesBefore).text(), "");
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    }

    /** The units that still have to flow into the bucket until it is full. */
    private long ahead(Rule.Bucket flow, String text) {
        BusyPeriods taken = new BusyPeriods(new Gcra(flow.token(), flow.milli(), flow.depth(), flow.furthest()));
        Matcher entry = ENTRY.matcher(text);
        while (entry.find()) {
            taken.restore(Long.parseLong(entry.group(1)), Long.parseLong(entry.group(2)));
        }
        return taken.ahead(nowMillis);
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
