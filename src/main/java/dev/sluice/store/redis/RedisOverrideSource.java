package dev.sluice.store.redis;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
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
 * costs one short script while nothing changes. The version is read before the limits: those may be younger than it says, and
 * then are read once more. Safe for any threads.
 */
public final class RedisOverrideSource implements ClientOverrideSource {

    /** The braces keep both on one node of a cluster. */
    private static final String HASH = "sluice:{limits}";

    private static final String VERSION = "sluice:{limits}:version";
    /** When those limits end that do so by themselves. */
    private static final String ENDS = "sluice:{limits}:ends";

    private static final List<String> KEYS = List.of(HASH, VERSION, ENDS);
    private static final String NEVER_CHANGED = "none";

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
                    : read(connection)
                            .thenApply(kept -> Optional.of(new Kept(
                                    now, kept.stream().map(KeptLimit::limit).toList())));
        }));
    }

    /** All limits that hold at this moment, with what is told of them. */
    public CompletionStage<List<KeptLimit>> all() {
        return use(connection -> version(connection).thenCompose(now -> read(connection)));
    }

    /** The version of the limits that hold at this moment, which instances that follow them have taken over. */
    public CompletionStage<String> version() {
        return use(RedisOverrideSource::version);
    }

    /** Removing the last limit leaves the version, so where it is gone Redis has lost its data. */
    private StoreException lost() {
        return StoreException.unavailable(address + " has lost the limits that were set there; set them again", null);
    }

    /** Ends what has run out of time before it answers. */
    private static CompletionStage<String> version(StatefulConnection<String, String> connection) {
        ValueOutput<String, String> output = new ValueOutput<>(StringCodec.UTF8);
        return RedisSend.script(connection, LimitScripts.FOLLOW, output, KEYS, List.of(newVersion()))
                .thenApply(found -> Objects.requireNonNullElse(found, NEVER_CHANGED));
    }

    private static String newVersion() {
        return UUID.randomUUID().toString();
    }

    private CompletionStage<List<KeptLimit>> read(StatefulConnection<String, String> connection) {
        return RedisSend.send(connection, CommandType.HLEN, new IntegerOutput<>(StringCodec.UTF8), key())
                .thenCompose(count -> count > MOST
                        ? CompletableFuture.failedFuture(tooMany())
                        : RedisSend.send(connection, CommandType.HGETALL, new MapOutput<>(StringCodec.UTF8), key()))
                .thenApply(entries -> entries.entrySet().stream()
                        .map(entry -> KeptLimit.of(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private static CommandArgs<String, String> key() {
        return RedisSend.args().addKey(HASH);
    }

    /** Sets a limit, for all instances on this store; it is not checked here. */
    public CompletionStage<Boolean> set(ClientOverride limit, KeptLimit.Note note) {
        return change(limit, limit.tiers(), note);
    }

    /** Removes a limit; whether there was one. */
    public CompletionStage<Boolean> unset(ClientOverride limit) {
        return change(limit, "", KeptLimit.Note.NONE);
    }

    private CompletionStage<Boolean> change(ClientOverride limit, String tiers, KeptLimit.Note note) {
        List<String> arguments = List.of(
                newVersion(),
                KeptLimit.field(limit),
                tiers,
                String.valueOf(MOST),
                String.valueOf(note.lasts().toMillis()),
                note.by(),
                note.why());
        IntegerOutput<String, String> output = new IntegerOutput<>(StringCodec.UTF8);
        return use(connection -> RedisSend.script(connection, LimitScripts.CHANGE, output, KEYS, arguments)
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

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            link.close();
        }
    }
}
