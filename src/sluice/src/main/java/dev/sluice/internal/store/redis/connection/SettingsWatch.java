package dev.sluice.internal.store.redis.connection;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches two settings that can make Redis lose counts. The first determines whether Redis can evict counters when its
 * memory is full. The second determines whether Redis forgets all counters on a restart. It is checked only once there
 * are limits of an hour or longer. This class queries the settings once a minute on the connection for exchanges, and
 * logs any changes. If Redis does not show when it saves to disk, this class does not query that again. If Redis does
 * not show its memory policy, all queries end. Thread-safe.
 */
public final class SettingsWatch {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    private static final Duration EVERY = Duration.ofMinutes(1);
    /**
     * The minimum length of a long window. Instances are often redeployed within such a window, and a redeployed
     * instance can no longer restore counts that Redis has lost.
     */
    private static final Duration LONG_WINDOW = Duration.ofHours(1);

    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:([a-z-]{1,40})\\s*$");
    private static final Pattern MEMORY = Pattern.compile("(?m)^maxmemory:(\\d{1,19})\\s*$");
    private static final Pattern NO_FILE = Pattern.compile("(?m)^aof_enabled:0\\s*$");
    private static final Pattern NO_REPLICA = Pattern.compile("(?m)^connected_slaves:0\\s*$");
    private static final String SAFE_POLICY = "noeviction";
    private static final String UNKNOWN = "unknown";

    private final RedisLink link;
    private final LongSupplier nanoClock;
    /** The time of the next query, by the monotonic clock. */
    private final AtomicLong nextNanos;

    private final Finding eviction = new Finding("no longer evicts counters: its memory policy has been fixed");
    private final Finding oblivion = new Finding("no longer forgets counters when it restarts");
    /** Whether any limit has a period of an hour or longer. */
    private volatile boolean hasLongWindows;

    /** Whether the queries have stopped because Redis does not show its memory policy. */
    private volatile boolean ended;
    /** Whether Redis does not show when it saves to disk. Most managed services hide this setting. */
    private volatile boolean isSavingUnknown;

    public SettingsWatch(RedisLink link, LongSupplier nanoClock) {
        this.link = link;
        this.nanoClock = nanoClock;
        this.nextNanos = new AtomicLong(nanoClock.getAsLong());
    }

    /** A description of the problems with the settings; {@code null} if there are none or the settings are unknown. */
    public @Nullable String warning() {
        String all = Stream.of(eviction, oblivion)
                .map(finding -> finding.warning)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(". "));
        return all.isEmpty() ? null : all;
    }

    /**
     * Queries Redis if a query is due, without waiting for the reply. Call this method after Redis has replied to a
     * batch.
     */
    public void look(Batch batch) {
        if (!hasLongWindows && batch.statements().stream().anyMatch(SettingsWatch::isLong)) {
            hasLongWindows = true;
        }
        long now = nanoClock.getAsLong();
        long next = nextNanos.get();
        if (!ended && now - next >= 0 && nextNanos.compareAndSet(next, now + EVERY.toNanos())) {
            // The query is not an exchange, so the connection is not replaced if there is no reply.
            CompletableFuture<?> unused = link.connection()
                    .thenCompose(this::ask)
                    .whenComplete((answers, failure) -> {
                        if (failure == null) {
                            read(answers);
                        }
                    });
        }
    }

    /** Whether the limit has a period of an hour or longer. */
    private static boolean isLong(Statement statement) {
        long length = statement.key().end() - statement.key().start();
        Rule rule = statement.rule();
        long millis = 0;
        if (rule instanceof Rule.Total) {
            millis = length;
        } else if (rule instanceof Rule.Frame frame) {
            millis = length * frame.frames();
        } else if (rule instanceof Rule.Log log) {
            millis = log.periodMillis();
        } else if (rule instanceof Rule.Bucket bucket) {
            millis = bucket.depth() / bucket.milli();
        }
        return millis >= LONG_WINDOW.toMillis();
    }

    /**
     * A master's reply about its settings.
     *
     * @param info the output of INFO; empty if the user is not allowed to run it
     * @param save when the master saves to disk; empty if it never does; {@link #UNKNOWN} if the setting was not
     *     queried or is not shown
     */
    private record Answer(String info, String save) {

        /** Whether the master is known to lose all counters on a restart. */
        boolean keepsNothing() {
            return save.isEmpty() && mayKeepNothing(info);
        }

        static boolean mayKeepNothing(String info) {
            return NO_FILE.matcher(info).find() && NO_REPLICA.matcher(info).find();
        }
    }

    private CompletionStage<List<Answer>> ask(StatefulConnection<String, String> connection) {
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            return RedisLink.all(cluster.getPartitions().stream()
                    .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                            && !node.getSlots().isEmpty())
                    .map(node -> cluster.getConnectionAsync(
                                    node.getUri().getHost(), node.getUri().getPort())
                            .thenCompose(this::askNode))
                    .toList());
        }
        return askNode((StatefulRedisConnection<String, String>) connection).thenApply(List::of);
    }

    private CompletionStage<Answer> askNode(StatefulRedisConnection<String, String> node) {
        boolean asksAll = hasLongWindows && !isSavingUnknown;
        return orElse(asksAll ? node.async().info() : node.async().info("memory"), "")
                .thenCompose(info -> asksAll && Answer.mayKeepNothing(info)
                        ? askSave(node).thenApply(save -> new Answer(info, save))
                        : CompletableFuture.completedFuture(new Answer(info, UNKNOWN)));
    }

    /** Queries when the node saves to disk. */
    private CompletionStage<String> askSave(StatefulRedisConnection<String, String> node) {
        return orElse(node.async().configGet("save").thenApply(all -> all.getOrDefault("save", UNKNOWN)), UNKNOWN)
                .thenApply(save -> {
                    if (save.equals(UNKNOWN)) {
                        isSavingUnknown = true;
                    }
                    return save;
                });
    }

    /** Completes with the reply, or with the given text if Redis rejects the query. */
    private static CompletionStage<String> orElse(CompletionStage<String> answer, String otherwise) {
        return answer.exceptionallyCompose(failure -> {
            RedisFailure reason = RedisFailure.of(failure);
            return reason.isMissingRight() || RedisFailure.isAnswer(failure)
                    ? CompletableFuture.completedStage(otherwise)
                    : CompletableFuture.failedStage(failure);
        });
    }

    private synchronized void read(List<Answer> answers) {
        boolean isKnown = false;
        String found = null;
        for (Answer answer : answers) {
            Matcher policy = POLICY.matcher(answer.info());
            if (policy.find()) {
                isKnown = true;
                found = found == null ? evictionBy(policy.group(1), answer.info()) : found;
            }
        }
        if (isKnown) {
            eviction.tell(found);
        } else if (!ended) {
            ended = true;
            LOG.debug(
                    "{} does not show its maxmemory_policy to this user, so Sluice cannot check if it can evict "
                            + "counters; see the rights in docs/stores.md. This is logged once",
                    link.address());
        }
        oblivion.tell(
                answers.stream().anyMatch(Answer::keepsNothing)
                        ? link.address() + " forgets all counters when it restarts (appendonly is no, save is empty, "
                                + "and there is no replica): callers can then use up a limit of an hour or longer "
                                + "again. Turn on appendonly or save, or add a replica"
                        : null);
    }

    private @Nullable String evictionBy(String policy, String info) {
        Matcher memory = MEMORY.matcher(info);
        String bytes = memory.find() ? memory.group(1) : UNKNOWN;
        return policy.equals(SAFE_POLICY) || bytes.equals("0")
                ? null
                : link.address() + " can evict counters when its memory is full (maxmemory_policy is " + policy
                        + ", maxmemory " + (bytes.equals(UNKNOWN) ? bytes : bytes + " bytes")
                        + "): callers can then get more or fewer calls than their limits allow. Set "
                        + "maxmemory-policy to "
                        + SAFE_POLICY;
    }

    /** A possible problem. It is logged when it begins and when it ends. */
    private final class Finding {

        private final String end;
        private volatile @Nullable String warning;

        Finding(String end) {
            this.end = end;
        }

        void tell(@Nullable String found) {
            boolean wasWrong = warning != null;
            if (found != null && !wasWrong) {
                LOG.warn("{}. Sluice logs when this is fixed; see docs/stores.md", found);
            } else if (found == null && wasWrong) {
                LOG.info("{} {}", link.address(), end);
            }
            warning = found;
        }
    }
}
