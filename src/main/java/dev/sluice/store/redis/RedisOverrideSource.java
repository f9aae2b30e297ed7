package dev.sluice.store.redis;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Limits of single clients in one hash of Redis, and beside it a version that every change makes another one. Asking
 * costs one GET while nothing changes. The version is read before the limits: those may be younger than it says, and
 * then are read once more. Safe for any threads.
 */
public final class RedisOverrideSource implements ClientOverrideSource {

    /** The braces keep both on one node of a cluster. */
    private static final String HASH = "sluice:{limits}";

    private static final String VERSION = "sluice:{limits}:version";
    private static final String NEVER_CHANGED = "none";
    private static final int PARTS = 3;

    /**
     * Sets or, without a text, removes one limit: 1 if that changed something, 0 if there was nothing, -1 if there are
     * too many.
     */
    private static final String CHANGE = """
            local changed = 1
            if ARGV[2] == '' then
              changed = redis.call('HDEL', KEYS[1], ARGV[1])
            elseif redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
              return -1
            else
              redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
            end
            if changed == 1 then redis.call('SET', KEYS[2], ARGV[3]) end
            return changed
            """;

    private final RedisAddress address;
    private final RedisLink link;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Closes the link with itself. */
    public RedisOverrideSource(RedisLink link) {
        this.address = link.address();
        this.link = link;
    }

    @Override
    public CompletionStage<Optional<Kept>> changedSince(String version) {
        return use(connection -> version(connection).thenCompose(now -> {
            if (now.equals(version)) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return now.equals(NEVER_CHANGED) && !version.isEmpty()
                    ? CompletableFuture.failedFuture(lost())
                    : read(connection, now).thenApply(Optional::of);
        }));
    }

    /** Removing the last limit leaves the version, so where it is gone Redis has lost its data. */
    private StoreException lost() {
        return StoreException.unavailable(address + " has lost the limits that were set there; set them again", null);
    }

    private static CompletionStage<String> version(StatefulConnection<String, String> connection) {
        return send(connection, CommandType.GET, new ValueOutput<>(StringCodec.UTF8), args().addKey(VERSION))
                .thenApply(found -> Objects.requireNonNullElse(found, NEVER_CHANGED));
    }

    private CompletionStage<Kept> read(StatefulConnection<String, String> connection, String version) {
        return send(connection, CommandType.HLEN, new IntegerOutput<>(StringCodec.UTF8), args().addKey(HASH))
                .thenCompose(count -> count > MOST
                        ? CompletableFuture.failedFuture(tooMany())
                        : send(connection, CommandType.HGETALL, new MapOutput<>(StringCodec.UTF8), args().addKey(HASH)))
                .thenApply(entries -> new Kept(version, limits(entries)));
    }

    private static List<ClientOverride> limits(Map<String, String> entries) {
        List<ClientOverride> limits = new ArrayList<>(entries.size());
        entries.forEach((field, tiers) -> {
            String[] parts = field.split("\\|", PARTS);
            limits.add(
                    parts.length == PARTS
                            ? new ClientOverride(parts[0], parts[2], parts[1], tiers)
                            : new ClientOverride(field, "", "", tiers));
        });
        return limits;
    }

    /** Sets a limit, for all instances on this store; it is not checked here. */
    public CompletionStage<Boolean> set(ClientOverride limit) {
        return change(limit, limit.tiers());
    }

    /** Removes a limit; whether there was one. */
    public CompletionStage<Boolean> unset(ClientOverride limit) {
        return change(limit, "");
    }

    private CompletionStage<Boolean> change(ClientOverride limit, String tiers) {
        String field = limit.subject() + '|' + limit.endpoint() + '|' + limit.value();
        CommandArgs<String, String> args = args().add(CHANGE)
                .add(2)
                .addKey(HASH)
                .addKey(VERSION)
                .add(field)
                .add(tiers);
        args.add(UUID.randomUUID().toString()).add(MOST);
        return use(connection -> send(connection, CommandType.EVAL, new IntegerOutput<>(StringCodec.UTF8), args)
                .thenCompose(changed -> changed < 0
                        ? CompletableFuture.failedFuture(tooMany())
                        : CompletableFuture.completedFuture(changed > 0)));
    }

    private <T> CompletionStage<T> use(Function<StatefulConnection<String, String>, CompletionStage<T>> work) {
        return closed.get()
                ? CompletableFuture.failedFuture(
                        StoreException.unavailable(address + " was closed by this instance", null))
                : link.use(work);
    }

    /** Waits, in the background, for a connection; fails with a {@link StoreException} if none can be made. */
    public CompletionStage<Boolean> connected() {
        long millis = 2 * address.handshake().toMillis();
        return link.connection().copy().orTimeout(millis, TimeUnit.MILLISECONDS).handle((connection, failure) -> {
            if (failure != null) {
                throw RedisTrouble.of(failure).asException(address);
            }
            return true;
        });
    }

    private StoreException tooMany() {
        return StoreException.unavailable(
                address + " keeps limits of clients beyond the " + MOST + " that can be", null);
    }

    private static CommandArgs<String, String> args() {
        return new CommandArgs<>(StringCodec.UTF8);
    }

    private static <T> CompletionStage<T> send(
            StatefulConnection<String, String> connection,
            CommandType type,
            CommandOutput<String, String, T> output,
            CommandArgs<String, String> args) {
        AsyncCommand<String, String, T> command = new AsyncCommand<>(new Command<>(type, output, args));
        connection.dispatch(command);
        return command;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            link.close();
        }
    }
}
