package dev.sluice.internal.store.redis.admin;

import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisFailure;
import dev.sluice.internal.store.redis.connection.RedisLink;
import dev.sluice.internal.store.redis.connection.ShortFields;
import dev.sluice.limits.ClientOverride;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores client overrides in a Redis hash, with a version that every change increments. If nothing has changed, a poll
 * costs one short script call. An instance reads the version before the overrides. If the overrides are newer than that
 * version, the next poll reads them again. The store also restores overrides that Redis has lost. A script filters out
 * values that are longer than any that Sluice writes, so Redis never sends them. Thread-safe.
 */
public final class RedisOverrideStore implements OverrideStore {

    /** The braces keep all keys on one cluster node. */
    private static final String HASH = "sluice:{limits}";

    private static final String VERSION = "sluice:{limits}:version";
    /** The expiry times of temporary overrides. */
    private static final String ENDS = "sluice:{limits}:ends";

    /** The prefix of the keys that collect restored overrides. Each restoration has its own key. */
    private static final String BACK = "sluice:{limits}:back:";

    /** The history of all changes, ordered by time. */
    private static final String HISTORY = "sluice:{limits}:history";

    private static final String[] KEYS = {HASH, VERSION, ENDS};
    private static final String[] KEYS_OF_CHANGE = {HASH, VERSION, ENDS, HISTORY};
    private static final String NEVER_CHANGED = "none";
    private static final int READ_AT_ONCE = 1000;
    private static final int PARTS_OF_CHANGE = 3;
    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");

    private final RedisLink link;
    /** The overrides as of the last poll that found a change. */
    private volatile RedisOverrideBackup latest = RedisOverrideBackup.NONE;

    /**
     * The reply to a poll.
     *
     * @param isMissing whether Redis has lost overrides that this instance has read
     */
    private record Followed(String version, long nowMillis, boolean isMissing) {

        static Followed of(List<Object> answer) {
            String version = String.valueOf(answer.get(0));
            return new Followed(
                    version.isEmpty() ? NEVER_CHANGED : version,
                    Long.parseLong(String.valueOf(answer.get(1))),
                    Long.valueOf(1).equals(answer.get(2)));
        }
    }

    /** Creates a store that uses the given link. {@link #close} also closes the link. */
    public RedisOverrideStore(RedisLink link) {
        this.link = link;
    }

    @Override
    public CompletionStage<Optional<Overrides>> changedSince(String version) {
        RedisOverrideBackup known = latest;
        return link.send(redis -> follow(redis, known.version()))
                .thenCompose(now -> now.isMissing() ? putBack(known) : CompletableFuture.completedFuture(now))
                .thenCompose(now -> now.version().equals(version)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : read().thenApply(content -> Optional.of(taken(now, content))));
    }

    private Overrides taken(Followed now, Content content) {
        latest = new RedisOverrideBackup(now.version(), content.values, now.nowMillis());
        return StoredOverride.overrides(now.version(), content.limits(), now.nowMillis());
    }

    /**
     * Restores the overrides that still apply on this instance, so that operators and other instances can see them
     * again.
     */
    private CompletionStage<Followed> putBack(RedisOverrideBackup lost) {
        CompletionStage<Long> done = CompletableFuture.completedFuture(0L);
        String birth = newBirth();
        String[] keys = {HASH, VERSION, ENDS, BACK + birth};
        for (List<String> arguments : lost.toPutBack(birth, MOST)) {
            String[] values = arguments.toArray(String[]::new);
            done = done.thenCompose(sum -> link.send(
                            redis -> redis.<Long>eval(OverrideScripts.PUT_BACK, ScriptOutputType.INTEGER, keys, values))
                    .thenApply(put -> sum + Math.max(0, put)));
        }
        return done.thenCompose(sum -> {
            if (sum > 0) {
                LOG.warn(
                        "{} has lost client overrides. They remained in force on this instance, and {} restored",
                        link.address(),
                        sum == 1 ? "1 has been" : sum + " have been");
            }
            return link.send(redis -> follow(redis, ""));
        });
    }

    @Override
    public CompletionStage<List<StoredOverride>> all() {
        return link.send(redis -> follow(redis, "")).thenCompose(now -> read()).thenApply(Content::limits);
    }

    @Override
    public CompletionStage<String> version() {
        return link.send(redis -> follow(redis, "")).thenApply(Followed::version);
    }

    /** Removes expired overrides, and returns the version. */
    private static CompletionStage<Followed> follow(RedisClusterAsyncCommands<String, String> redis, String known) {
        return redis.<List<Object>>eval(OverrideScripts.FOLLOW, ScriptOutputType.MULTI, KEYS, newBirth(), known)
                .thenApply(Followed::of);
    }

    private static String newBirth() {
        return UUID.randomUUID().toString();
    }

    /** Reads the content of the hash. Reads the values in several parts, so that each script call is short. */
    private CompletionStage<Content> read() {
        return link.send(redis -> ShortFields.names(redis, HASH, MOST, StoredOverride.LONGEST))
                .thenCompose(names -> {
                    if (names.tooMany()) {
                        throw OverrideStore.tooMany(link.address().toString());
                    }
                    CompletionStage<Content> content = CompletableFuture.completedFuture(new Content(names.tooLong()));
                    for (int from = 0; from < names.all().size(); from += READ_AT_ONCE) {
                        List<String> some =
                                names.all().subList(from, Math.min(names.all().size(), from + READ_AT_ONCE));
                        content = content.thenCompose(before -> read(some, before));
                    }
                    return content;
                });
    }

    private CompletionStage<Content> read(List<String> names, Content content) {
        return link.send(redis -> ShortFields.values(redis, HASH, names, StoredOverride.LONGEST))
                .thenApply(values -> {
                    for (int i = 0; i < names.size(); i++) {
                        content.add(names.get(i), values.get(i));
                    }
                    if (content.size > StoredOverride.MOST_BYTES) {
                        throw OverrideStore.tooLarge(link.address().toString());
                    }
                    return content;
                });
    }

    /**
     * The part of the hash that has already been read. Not thread-safe, because the parts are added one after the
     * other.
     */
    private static final class Content {

        private final Map<String, String> values = new HashMap<>();
        private final List<StoredOverride> tooLong = new ArrayList<>();
        private long size;

        Content(List<ShortFields.TooLong> names) {
            names.forEach(name -> tooLong.add(StoredOverride.unread(name.beginning() + "…", name.bytes() + " bytes")));
        }

        /**
         * Adds an override. The value is the override as text, the length of that text if it is too long, or
         * {@code null} if the override was removed in the meantime.
         */
        void add(String name, @Nullable Object value) {
            if (value instanceof String text) {
                values.put(name, text);
                size += name.length() + text.length();
            } else if (value instanceof Long length) {
                tooLong.add(StoredOverride.unread(name, length + " bytes"));
            }
        }

        List<StoredOverride> limits() {
            return Stream.concat(
                            values.entrySet().stream()
                                    .map(entry -> StoredOverride.of(entry.getKey(), entry.getValue())),
                            tooLong.stream())
                    .toList();
        }
    }

    @Override
    public CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note) {
        return change(limit, limit.tiers(), note);
    }

    @Override
    public CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note) {
        return change(limit, "", note);
    }

    @Override
    public CompletionStage<List<StoredOverride>> history() {
        return history(new ArrayList<>(), 0);
    }

    /**
     * Reads the next part of the history. The history is read from its end; {@code skipped} is the number of entries
     * that have already been read.
     */
    private CompletionStage<List<StoredOverride>> history(List<StoredOverride> read, int skipped) {
        String[] ranks = {String.valueOf(-skipped - READ_AT_ONCE), String.valueOf(-skipped - 1)};
        return link.send(redis -> redis.<List<String>>eval(
                        OverrideScripts.HISTORY, ScriptOutputType.MULTI, new String[] {HISTORY}, ranks))
                .thenCompose(answer -> {
                    for (int i = answer.size() - 1; i > 0; i--) {
                        String[] parts = answer.get(i).split("\n", PARTS_OF_CHANGE);
                        if (parts.length == PARTS_OF_CHANGE) {
                            read.add(StoredOverride.of(parts[2], parts[1]));
                        }
                    }
                    int next = skipped + READ_AT_ONCE;
                    return Double.parseDouble(answer.get(0)) < READ_AT_ONCE || next >= MOST_HISTORY
                            ? CompletableFuture.completedFuture(List.copyOf(read))
                            : history(read, next);
                });
    }

    @Override
    public CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note) {
        return change(OverrideScripts.REMEMBER, done, done.tiers(), note);
    }

    private CompletionStage<Boolean> change(ClientOverride limit, String tiers, StoredOverride.Note note) {
        return change(OverrideScripts.CHANGE, limit, tiers, note);
    }

    private CompletionStage<Boolean> change(
            String script, ClientOverride limit, String tiers, StoredOverride.Note note) {
        String[] values = {
            newBirth(),
            StoredOverride.field(limit),
            tiers,
            String.valueOf(MOST),
            String.valueOf(note.lasts().toMillis()),
            note.by(),
            note.why()
        };
        return link.send(redis -> redis.<Long>eval(script, ScriptOutputType.INTEGER, KEYS_OF_CHANGE, values)
                .thenCompose(changed -> changed < 0
                        ? CompletableFuture.failedFuture(
                                OverrideStore.tooMany(link.address().toString()))
                        : CompletableFuture.completedFuture(changed > 0)));
    }

    @Override
    public CompletionStage<Boolean> connected() {
        RedisAddress address = link.address();
        long millis = 2 * address.handshake().toMillis();
        return link.connection().copy().orTimeout(millis, TimeUnit.MILLISECONDS).handle((connection, failure) -> {
            if (failure != null) {
                throw RedisFailure.of(failure).whileConnecting(address);
            }
            return true;
        });
    }

    @Override
    public void close() {
        link.close();
    }
}
