package dev.sluice.internal.store.redis;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.operated.BlockStore;
import dev.sluice.internal.store.operated.CounterNames;
import dev.sluice.internal.store.redis.exchange.AnsweredBatches;
import dev.sluice.internal.store.redis.exchange.Chunk;
import dev.sluice.internal.store.redis.exchange.ExchangeScript;
import dev.sluice.internal.store.redis.exchange.ReplyAssembly;
import dev.sluice.internal.store.redis.link.EvictionWatch;
import dev.sluice.internal.store.redis.link.RedisAddress;
import dev.sluice.internal.store.redis.link.RedisLink;
import dev.sluice.internal.store.redis.link.RedisNews;
import dev.sluice.internal.store.redis.link.ShardNumber;
import dev.sluice.internal.store.redis.operator.RedisInstances;
import dev.sluice.internal.store.redis.overrides.RedisBlockStore;
import dev.sluice.internal.store.redis.overrides.RedisOverrideStore;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts in Redis: a single server, behind sentinels, or a cluster. A batch is one pipelined write, with a script call
 * for each few hundred statements or each shard. If one call fails, the whole exchange fails; when it is sent again,
 * calls that were applied repeat their answer. Stages complete on Lettuce's threads. Thread-safe.
 */
public final class RedisCounterStore implements CounterStore {

    private final RedisLink link;
    private final ExchangeScript script;
    private final ShardNumber shards;
    private final LongSupplier nanoClock;
    /** The answered batches, for the number of shards in force. */
    private volatile Answered answered;

    private final EvictionWatch eviction;
    private final boolean cluster;

    private RedisCounterStore(RedisLink link, TimeToLive expiry, LongSupplier nanoClock) {
        this.link = link;
        this.script = new ExchangeScript(expiry, RedisNews.channel(link.address()));
        this.nanoClock = nanoClock;
        this.shards = new ShardNumber(link.address(), nanoClock);
        this.answered = new Answered(CounterKey.SHARDS, new AnsweredBatches(nanoClock));
        this.eviction = new EvictionWatch(link, nanoClock);
        this.cluster = link.address().kind() == RedisAddress.Kind.CLUSTER;
    }

    public static RedisCounterStore open(RedisAddress address, TimeToLive expiry) {
        return open(address, expiry, System::nanoTime);
    }

    public static RedisCounterStore open(RedisAddress address, TimeToLive expiry, LongSupplier nanoClock) {
        return new RedisCounterStore(RedisLink.open(address), expiry, nanoClock);
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        return link.use(connection -> exchange(connection, batch)).whenComplete((reply, failure) -> {
            if (failure == null) {
                eviction.look();
            }
        });
    }

    @Override
    public void behindAnswers(Runnable task) {
        link.behindAnswers(task);
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        link.news().subscribe(instance, cluster ? news -> listener.accept(named(news)) : listener);
    }

    @Override
    public @Nullable String warning() {
        return eviction.warning();
    }

    /** The news with the limiter's names of counters, which do not depend on the number of shards. */
    private static News named(News news) {
        return new News(
                news.kind(),
                news.keys().stream()
                        .map(key ->
                                CounterNames.parse(key).map(CounterKey::text).orElse(key))
                        .collect(Collectors.toSet()));
    }

    @Override
    public void unsubscribe(String instance) {
        link.news().unsubscribe(instance);
    }

    /** The client overrides in the same Redis. */
    public RedisOverrideStore overrides() {
        return new RedisOverrideStore(link.besideExchanges());
    }

    /** The blocked callers in the same Redis. */
    public BlockStore blocks() {
        return new RedisBlockStore(link.besideExchanges());
    }

    /** The instances that report to the same Redis. */
    public RedisInstances instances() {
        return new RedisInstances(link.besideExchanges());
    }

    @Override
    public void close() {
        link.close();
    }

    private CompletionStage<Batch.Reply> exchange(StatefulConnection<String, String> connection, Batch batch) {
        if (!cluster) {
            return send(connection, batch, Chunk.ofAll(batch), answered.batches());
        }
        return shards.get(RedisLink.commands(connection)).thenCompose(number -> {
            AnsweredBatches known = answeredWith(number);
            return send(connection, batch, byShard(batch, number, known), known)
                    .thenApply(reply -> shards.reply(batch, number, reply));
        });
    }

    /** The answered batches for this number of shards; empty if the number has changed. */
    private synchronized AnsweredBatches answeredWith(int number) {
        if (answered.shards() != number) {
            answered = new Answered(number, new AnsweredBatches(nanoClock));
        }
        return answered.batches();
    }

    private CompletableFuture<Batch.Reply> send(
            StatefulConnection<String, String> connection, Batch batch, List<Chunk> chunks, AnsweredBatches known) {
        List<ScriptCall> calls = chunks.stream()
                .map(chunk -> new ScriptCall(chunk, script.callByDigest(batch, chunk)))
                .toList();
        return dispatch(connection, calls)
                .thenCompose(done -> repeatIfUnknown(connection, batch, calls))
                .thenApply(all -> {
                    ReplyAssembly assembly = new ReplyAssembly(batch, known);
                    all.forEach(
                            call -> assembly.add(call.chunk(), call.command().join()));
                    return assembly.reply();
                });
    }

    private static List<Chunk> byShard(Batch batch, int number, AnsweredBatches known) {
        return Chunk.byShard(
                batch,
                number,
                known.shardsToCheck(batch.instance(), batch.statements().isEmpty()));
    }

    /** Repeats calls that failed because Redis has restarted and does not know the script, with the full text. */
    private CompletableFuture<List<ScriptCall>> repeatIfUnknown(
            StatefulConnection<String, String> connection, Batch batch, List<ScriptCall> calls) {
        List<ScriptCall> all = new ArrayList<>();
        List<ScriptCall> again = new ArrayList<>();
        for (ScriptCall call : calls) {
            if (call.failedAsUnknown()) {
                ScriptCall repeated = new ScriptCall(call.chunk(), script.callByText(batch, call.chunk()));
                again.add(repeated);
                all.add(repeated);
            } else {
                all.add(call);
            }
        }
        return dispatch(connection, again).thenApply(done -> all);
    }

    /** Writes all calls at once. Completes when each has an answer or a failure, never exceptionally. */
    private CompletableFuture<Boolean> dispatch(StatefulConnection<String, String> connection, List<ScriptCall> calls) {
        List<AsyncCommand<String, String, String>> commands =
                calls.stream().map(ScriptCall::command).toList();
        if (cluster) {
            // One by one: with a collection, Lettuce's cluster connection would wait until it is connected to all
            // nodes.
            commands.forEach(connection::dispatch);
        } else if (!commands.isEmpty()) {
            connection.dispatch(commands);
        }
        return CompletableFuture.allOf(commands.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> failure == null);
    }

    /** The answered batches with the number of shards they were sent for. */
    private record Answered(int shards, AnsweredBatches batches) {}

    /** One script call under way. */
    private record ScriptCall(Chunk chunk, AsyncCommand<String, String, String> command) {

        boolean failedAsUnknown() {
            return command.handle((text, failure) -> failure instanceof RedisNoScriptException)
                    .join();
        }
    }
}
