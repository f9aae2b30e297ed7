package dev.sluice.internal.store.redis.link;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether Redis may evict counters when its memory is full. It asks for the memory policy once a minute, on the
 * connection for exchanges, and logs when the answer changes. If Redis does not tell, it stops asking. Thread-safe.
 */
public final class EvictionWatch {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:([a-z-]{1,40})\\s*$");
    private static final Pattern MEMORY = Pattern.compile("(?m)^maxmemory:(\\d{1,19})\\s*$");
    private static final String SAFE_POLICY = "noeviction";

    private static final String WARNING =
            "%s may evict counters when its memory is full (maxmemory_policy is %s, maxmemory %s): callers may then "
                    + "get more than their limits, or less. Set maxmemory-policy to noeviction";

    private final RedisLink link;
    private final LongSupplier nanoClock;
    /** When to ask Redis next, by the clock. */
    private final AtomicLong nextNanos;

    private volatile boolean ended;
    private volatile @Nullable String warning;

    public EvictionWatch(RedisLink link, LongSupplier nanoClock) {
        this.link = link;
        this.nanoClock = nanoClock;
        this.nextNanos = new AtomicLong(nanoClock.getAsLong());
    }

    /** What is wrong with the memory policy; {@code null} if nothing, or if unknown. */
    public @Nullable String warning() {
        return warning;
    }

    /** Asks Redis if it is time to. Returns at once. Call it after Redis has answered an exchange. */
    public void look() {
        long now = nanoClock.getAsLong();
        long next = nextNanos.get();
        if (!ended && now - next >= 0 && nextNanos.compareAndSet(next, now + EVERY.toNanos())) {
            // Not as an exchange, so that the connection is not replaced if there is no answer.
            CompletableFuture<?> unused = link.connection()
                    .thenCompose(EvictionWatch::ask)
                    .whenComplete((answers, failure) -> {
                        if (failure == null) {
                            read(answers);
                        }
                    });
        }
    }

    /** What each master says about its memory; empty for a master that does not let the user ask. */
    private static CompletionStage<List<String>> ask(StatefulConnection<String, String> connection) {
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            return RedisLink.all(cluster.getPartitions().stream()
                    .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                            && !node.getSlots().isEmpty())
                    .map(node -> cluster.getConnectionAsync(
                                    node.getUri().getHost(), node.getUri().getPort())
                            .thenCompose(EvictionWatch::askNode))
                    .toList());
        }
        return askNode((StatefulRedisConnection<String, String>) connection).thenApply(List::of);
    }

    private static CompletionStage<String> askNode(StatefulRedisConnection<String, String> node) {
        return node.async().info("memory").exceptionallyCompose(failure -> {
            RedisFailure reason = RedisFailure.of(failure);
            return reason.isMissingRight() || RedisFailure.isAnswer(failure)
                    ? CompletableFuture.completedStage("")
                    : CompletableFuture.failedStage(failure);
        });
    }

    private synchronized void read(List<String> answers) {
        boolean isKnown = false;
        String found = null;
        for (String answer : answers) {
            Matcher policy = POLICY.matcher(answer);
            if (policy.find()) {
                isKnown = true;
                found = found == null ? warning(policy.group(1), answer) : found;
            }
        }
        if (isKnown) {
            tell(found);
        } else if (!ended) {
            ended = true;
            LOG.debug(
                    "{} does not show its maxmemory_policy to this user, so Sluice cannot warn if it may evict "
                            + "counters; see the rights in docs/stores.md. This is logged once",
                    link.address());
        }
    }

    private @Nullable String warning(String policy, String answer) {
        Matcher memory = MEMORY.matcher(answer);
        String bytes = memory.find() ? memory.group(1) : "unknown";
        return policy.equals(SAFE_POLICY) || bytes.equals("0")
                ? null
                : WARNING.formatted(link.address(), policy, bytes.equals("unknown") ? bytes : bytes + " bytes");
    }

    private void tell(@Nullable String found) {
        boolean wasWrong = warning != null;
        if (found != null && !wasWrong) {
            LOG.warn("{}. Sluice logs when this is fixed; see docs/stores.md", found);
        } else if (found == null && wasWrong) {
            LOG.info("{} no longer evicts counters: its memory policy has been fixed", link.address());
        }
        warning = found;
    }
}
