package dev.sluice.internal.store.redis;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.redis.admin.RedisBlockStore;
import dev.sluice.internal.store.redis.admin.RedisCounters;
import dev.sluice.internal.store.redis.admin.RedisInstances;
import dev.sluice.internal.store.redis.admin.RedisOverrideStore;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisLink;
import dev.sluice.internal.store.redis.connection.RedisNews;
import dev.sluice.internal.store.redis.connection.SettingsWatch;
import dev.sluice.internal.store.redis.script.AnsweredBatches;
import dev.sluice.internal.store.redis.script.Chunk;
import dev.sluice.internal.store.redis.script.ExchangeScript;
import dev.sluice.internal.store.redis.script.ReplyAssembly;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that counts in Redis. Redis can be a single server, a master behind sentinels, or a cluster. The store sends
 * each batch as one pipelined write. The write contains one script call for every few hundred statements. In a cluster,
 * each shard has its own script calls. If any script call fails, the whole exchange fails. On a retry, the script
 * calls that were already applied repeat their replies. Stages complete on Lettuce's threads. Thread-safe.
 */
public final class RedisCounterStore implements CounterStore {

    private final RedisLink link;
    private final ExchangeScript script;
    private final AnsweredBatches answered;
    private final SettingsWatch settings;
    private final boolean cluster;

    private RedisCounterStore(RedisLink link, TimeToLive expiry, LongSupplier nanoClock) {
        this.link = link;
        this.script = new ExchangeScript(expiry, RedisNews.channel(link.address()));
        this.answered = new AnsweredBatches(nanoClock);
        this.settings = new SettingsWatch(link, nanoClock);
        this.cluster = link.address().kind() == RedisAddress.Kind.CLUSTER;
    }

    public static RedisCounterStore open(RedisAddress address, TimeToLive expiry) {
        return open(address, expiry, System::nanoTime);
    }

    public static RedisCounterStore open(RedisAddress address, TimeToLive expiry, LongSupplier nanoClock) {
        return new RedisCounterStore(RedisLink.open(address), expiry, nanoClock);
    }

    /** Opens a store that uses the given link. Closing the store closes the link. */
    public static RedisCounterStore over(RedisLink link) {
        return new RedisCounterStore(link, TimeToLive.USUAL, System::nanoTime);
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        return link.use(connection -> exchange(connection, batch)).whenComplete((reply, failure) -> {
            if (failure == null) {
                settings.look(batch);
            }
        });
    }

    @Override
    public void behindAnswers(Runnable task) {
        link.behindAnswers(task);
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        link.news().subscribe(instance, listener);
    }

    @Override
    public @Nullable String warning() {
        return settings.warning();
    }

    @Override
    public void unsubscribe(String instance) {
        link.news().unsubscribe(instance);
    }

    /** The client overrides in the same Redis database. */
    public RedisOverrideStore overrides() {
        return new RedisOverrideStore(link.besideExchanges());
    }

    /** The blocked callers in the same Redis database. */
    public BlockStore blocks() {
        return new RedisBlockStore(link.besideExchanges());
    }

    /** The instances that report to the same Redis database. */
    public RedisInstances instances() {
        return new RedisInstances(link.besideExchanges());
    }

    /** The counters in the same Redis database, for reading. */
    public RedisCounters counters() {
        return new RedisCounters(link.besideExchanges());
    }

    @Override
    public void close() {
        link.close();
    }

    private CompletionStage<Batch.Reply> exchange(StatefulConnection<String, String> connection, Batch batch) {
        List<ScriptCall> calls = chunks(batch).stream()
                .map(chunk -> new ScriptCall(chunk, script.callByDigest(batch, chunk)))
                .toList();
        return dispatch(connection, calls)
                .thenCompose(done -> repeatIfUnknown(connection, batch, calls))
                .thenApply(all -> {
                    ReplyAssembly assembly = new ReplyAssembly(batch, answered);
                    all.forEach(
                            call -> assembly.add(call.chunk(), call.command().join()));
                    return assembly.reply();
                });
    }

    private List<Chunk> chunks(Batch batch) {
        return cluster
                ? Chunk.byShard(
                        batch,
                        answered.shardsToCheck(
                                batch.instance(), batch.statements().isEmpty()))
                : Chunk.ofAll(batch);
    }

    /**
     * Repeats the script calls that failed because Redis has restarted and therefore no longer has the script. The
     * repeated calls contain the full source of the script.
     */
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

    /**
     * Sends all script calls together. The result completes after each call has received a reply or failed. It never
     * completes exceptionally.
     */
    private CompletableFuture<Boolean> dispatch(StatefulConnection<String, String> connection, List<ScriptCall> calls) {
        List<AsyncCommand<String, String, String>> commands =
                calls.stream().map(ScriptCall::command).toList();
        if (cluster) {
            // Dispatch the commands individually. If it were given a collection, Lettuce's cluster connection would
            // wait until it had connected to all nodes.
            commands.forEach(connection::dispatch);
        } else if (!commands.isEmpty()) {
            connection.dispatch(commands);
        }
        return CompletableFuture.allOf(commands.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> failure == null);
    }

    /** A script call in flight. */
    private record ScriptCall(Chunk chunk, AsyncCommand<String, String, String> command) {

        boolean failedAsUnknown() {
            return command.handle((text, failure) -> failure instanceof RedisNoScriptException)
                    .join();
        }
    }
}
