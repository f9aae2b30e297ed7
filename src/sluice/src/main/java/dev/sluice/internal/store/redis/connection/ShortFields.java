package dev.sluice.internal.store.redis.connection;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads hashes that somebody else may have written to. Redis sends only fields and values that are as short as ours,
 * and only as many as we can have.
 */
public final class ShortFields {

    /**
     * KEYS[1]: the hash. ARGV: the most names, and the most bytes of a name. Redis has no command that returns only
     * some names.
     */
    private static final String NAMES = """
            if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[1]) then return {} end
            local names, long = {}, {}
            for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
              if #name <= tonumber(ARGV[2]) then
                names[#names + 1] = name
              else
                long[#long + 1] = string.sub(name, 1, 100)
                long[#long + 1] = #name
              end
            end
            return { names, long }
            """;

    /** KEYS[1]: the hash. ARGV: the most bytes of a value, and the names. */
    private static final String VALUES = """
            local values = {}
            for n = 2, #ARGV do
              local length = redis.call('HSTRLEN', KEYS[1], ARGV[n])
              values[n - 1] = length > tonumber(ARGV[1]) and length or redis.call('HGET', KEYS[1], ARGV[n])
            end
            return values
            """;

    private ShortFields() {}

    /**
     * The names of all fields.
     *
     * @param tooMany whether there are more names than allowed; then none was read
     * @param tooLong the starts of names that are too long
     */
    public record Names(boolean tooMany, List<String> all, List<TooLong> tooLong) {}

    /** A name that is too long to read: its start, and its length in bytes. */
    public record TooLong(String beginning, long bytes) {}

    public static CompletionStage<Names> names(
            RedisClusterAsyncCommands<String, String> redis, String hash, int most, int longest) {
        return redis.<List<List<Object>>>eval(NAMES, ScriptOutputType.MULTI, keys(hash), text(most), text(longest))
                .thenApply(found -> {
                    if (found.isEmpty()) {
                        return new Names(true, List.of(), List.of());
                    }
                    List<TooLong> tooLong = new ArrayList<>();
                    for (int i = 0; i < found.get(1).size(); i += 2) {
                        tooLong.add(new TooLong((String) found.get(1).get(i), (Long)
                                found.get(1).get(i + 1)));
                    }
                    return new Names(
                            false, found.get(0).stream().map(String::valueOf).toList(), tooLong);
                });
    }

    /** The value of each name: a text, or the number of bytes if it is too long, or {@code null} if there is none. */
    public static CompletionStage<List<@Nullable Object>> values(
            RedisClusterAsyncCommands<String, String> redis, String hash, List<String> names, int longest) {
        String[] arguments =
                Stream.concat(Stream.of(text(longest)), names.stream()).toArray(String[]::new);
        return redis.eval(VALUES, ScriptOutputType.MULTI, keys(hash), arguments);
    }

    private static String[] keys(String hash) {
        return new String[] {hash};
    }

    private static String text(int number) {
        return String.valueOf(number);
    }
}
