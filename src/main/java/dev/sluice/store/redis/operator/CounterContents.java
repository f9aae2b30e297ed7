package dev.sluice.store.redis.operator;

import dev.sluice.algorithm.BusyPeriods;
import dev.sluice.algorithm.Gcra;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.operated.LiveCounter;
import dev.sluice.store.redis.link.RedisFailure;
import dev.sluice.store.redis.operator.HeldShares.Held;
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
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The contents of some counters in Redis, read without a change. Unexpected content counts as 0. */
final class CounterContents {

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}");
    private static final Pattern ENTRY = Pattern.compile("(\\d{1,15}) (\\d{1,15})");
    private static final Pattern LEASE = Pattern.compile("(\\d{1,15}) (\\d{1,15}) (\\d{1,15}) (\\d{1,15})");
    private static final int MOST_ARGUMENTS = 500;

    private final List<LiveCounter> counters;
    private final long nowMillis;
    private final Map<String, String> texts;
    private final Map<Integer, Log> logs;
    private final Map<Integer, Map<String, String>> leases;

    private CounterContents(
            List<LiveCounter> counters,
            long nowMillis,
            Map<String, String> texts,
            Map<Integer, Log> logs,
            Map<Integer, Map<String, String>> leases) {
        this.counters = counters;
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
        CompletableFuture<Map<Integer, Log>> logs = each(
                counters,
                Rule.Log.class,
                counter -> log(redis, counter.key().text(), (Rule.Log) counter.rule(), nowMillis));
        CompletableFuture<Map<Integer, Map<String, String>>> leases = each(
                counters,
                Rule.Places.class,
                counter -> orElse(redis.hgetall(counter.key().text()), Map.of()));
        return CompletableFuture.allOf(texts, logs, leases)
                .thenApply(done -> new CounterContents(counters, nowMillis, texts.join(), logs.join(), leases.join()));
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
        Map<String, String> texts = new HashMap<>();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += MOST_ARGUMENTS) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + MOST_ARGUMENTS));
            asked.add(redis.mget(some.toArray(String[]::new))
                    .thenAccept(found -> add(found, texts))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> texts);
    }

    private static void add(List<KeyValue<String, String>> found, Map<String, String> texts) {
        synchronized (texts) {
            found.forEach(one -> one.ifHasValue(value -> texts.put(one.getKey(), value)));
        }
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

    private static <T> CompletableFuture<Map<Integer, T>> each(
            List<LiveCounter> counters,
            Class<? extends Rule> rule,
            Function<LiveCounter, CompletionStage<T>> question) {
        Map<Integer, CompletableFuture<T>> asked = new HashMap<>();
        for (int i = 0; i < counters.size(); i++) {
            if (rule.isInstance(counters.get(i).rule())) {
                asked.put(i, question.apply(counters.get(i)).toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    Map<Integer, T> answers = new HashMap<>();
                    asked.forEach((place, answer) -> answers.put(place, answer.join()));
                    return answers;
                });
    }

    /** Content of an unexpected type counts as nothing. */
    private static <T> CompletionStage<T> orElse(CompletionStage<T> answer, T otherwise) {
        return answer.exceptionallyCompose(failure -> RedisFailure.isAnswer(failure)
                ? CompletableFuture.completedStage(otherwise)
                : CompletableFuture.failedStage(failure));
    }

    /** The figures of the counter at this index, with what instances hold of it. */
    Grant grant(int place, Held held) {
        LiveCounter counter = counters.get(place);
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
            Log log = logs.getOrDefault(place, new Log(0, 0));
            return new Grant(log.calls() + held.alive(), 0, held.alive(), List.of(log.oldestMillis()));
        }
        return leased(leases.getOrDefault(place, Map.of()));
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
