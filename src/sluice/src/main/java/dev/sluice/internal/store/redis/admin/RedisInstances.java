package dev.sluice.internal.store.redis.admin;

import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.redis.connection.RedisFailure;
import dev.sluice.internal.store.redis.connection.RedisLink;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The instances that report to a Redis database. Each instance writes a report about itself, and renews it before it
 * expires. Requests never wait for these operations. Thread-safe.
 */
public final class RedisInstances implements Instances {

    private static final int LONGEST_REPORT = 1 << 16;
    /** The maximum length of a report without its refusals. */
    private static final int LONGEST_HEAD = 1 << 12;
    /** The maximum number of instances to return. */
    private static final int MOST = 10_000;
    /**
     * The number of reports to read at a time. If it is larger, the reply could take so long that Sluice would consider
     * the store unavailable.
     */
    private static final int READ_AT_ONCE = 50;

    private static final String NAMES = "sluice:{limits}:instances";
    private static final String REPORT = "sluice:{limits}:instance:";
    private static final String FILE = "sluice:{limits}:file:";

    /**
     * Writes a report, and removes the names of instances whose reports have expired. Returns 0 if the limits also have
     * to be sent. KEYS: the names, the report, and the limits. ARGV: the name, the report, its lifetime in
     * milliseconds, and the limits or an empty string.
     */
    private static final String WRITE = """
        if redis.replicate_commands then redis.replicate_commands() end
        local time, life = redis.call('TIME'), tonumber(ARGV[3])
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local names = redis.pcall('ZRANGE', KEYS[1], 0, 99, 'WITHSCORES')
        if names.err then
          redis.call('UNLINK', KEYS[1])
          names = {}
        end
        for n = 1, #names, 2 do
          if tonumber(names[n + 1]) <= now then redis.call('ZREM', KEYS[1], names[n]) end
        end
        redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
        redis.call('ZADD', KEYS[1], string.format('%.0f', now + life), ARGV[1])
        redis.call('PEXPIRE', KEYS[1], string.format('%.0f', 2 * life))
        if ARGV[4] ~= '' then
          redis.call('SET', KEYS[3], ARGV[4], 'PX', string.format('%.0f', 2 * life))
          return 1
        end
        return redis.call('PEXPIRE', KEYS[3], string.format('%.0f', 2 * life))
        """;

    private static final String LEAVE = """
        redis.call('ZREM', KEYS[1], ARGV[1])
        return redis.call('DEL', KEYS[2])
        """;

    private final RedisLink link;

    /** Creates an object that uses the given link. {@link #close} also closes the link. */
    public RedisInstances(RedisLink link) {
        this.link = link;
    }

    @Override
    public CompletionStage<Boolean> write(InstanceReport report, String limits) {
        return write(report, "", report.fileDigest())
                .thenCompose(isKnown -> isKnown || report.fileDigest().isEmpty()
                        ? CompletableFuture.completedFuture(true)
                        : write(report, limits, report.fileDigest()));
    }

    private CompletionStage<Boolean> write(InstanceReport report, String limits, String digest) {
        String[] keys = {NAMES, REPORT + report.name(), FILE + digest};
        String life = String.valueOf(LIFE.toMillis());
        return link.send(redis -> redis.<Long>eval(
                        WRITE, ScriptOutputType.INTEGER, keys, report.name(), report.text(), life, limits)
                .thenApply(known -> known > 0));
    }

    @Override
    public CompletionStage<Boolean> leave(String name) {
        String[] keys = {NAMES, REPORT + name};
        return link.send(redis ->
                redis.<Long>eval(LEAVE, ScriptOutputType.INTEGER, keys, name).thenApply(gone -> gone > 0));
    }

    @Override
    public CompletionStage<List<InstanceReport>> all() {
        return names().thenCompose(names -> reports(names, LONGEST_REPORT));
    }

    @Override
    public CompletionStage<List<InstanceReport>> heads() {
        return names().thenCompose(names -> reports(names, LONGEST_HEAD));
    }

    private CompletionStage<List<String>> names() {
        return link.send(redis -> redis.zrange(NAMES, 0, MOST - 1));
    }

    private CompletionStage<List<InstanceReport>> reports(List<String> names, int longest) {
        List<InstanceReport> read = new ArrayList<>();
        CompletionStage<List<InstanceReport>> all = CompletableFuture.completedFuture(read);
        for (int from = 0; from < names.size(); from += READ_AT_ONCE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + READ_AT_ONCE));
            all = all.thenCompose(before -> link.send(redis -> reports(redis, some, longest)))
                    .thenApply(more -> {
                        read.addAll(more);
                        return read;
                    });
        }
        return all;
    }

    private static CompletionStage<List<InstanceReport>> reports(
            RedisClusterAsyncCommands<String, String> redis, List<String> names, int longest) {
        List<CompletionStage<Optional<InstanceReport>>> asked = names.stream()
                .map(name -> start(redis, REPORT + name, longest)
                        .thenApply(text -> longest == LONGEST_HEAD ? InstanceReport.head(text) : text)
                        .thenApply(text ->
                                text.isEmpty() ? Optional.<InstanceReport>empty() : InstanceReport.of(name, text)))
                .toList();
        return RedisLink.all(asked)
                .thenApply(found -> found.stream().flatMap(Optional::stream).toList());
    }

    @Override
    public CompletionStage<String> limitsOfFile(String digest) {
        return link.send(redis -> start(redis, FILE + digest, LONGEST_LIMITS));
    }

    /** Reads the start of a string, up to the given length. */
    private static CompletionStage<String> start(
            RedisClusterAsyncCommands<String, String> redis, String key, int longest) {
        return redis.getrange(key, 0, longest - 1L)
                .thenApply(text -> Objects.requireNonNullElse(text, ""))
                .exceptionallyCompose(failure -> RedisFailure.isAnswer(failure)
                        ? CompletableFuture.completedStage("") // the key has an unexpected type
                        : CompletableFuture.failedStage(failure));
    }

    @Override
    public void close() {
        link.close();
    }
}
