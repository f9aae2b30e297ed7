package dev.sluice.internal.store.redis.connection;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads hashes to which other programs might also have written. Ensures that Redis never sends more fields than Sluice
 * writes, nor longer names or values.
 */
public final class ShortFields {

    /**
     * A script that returns the names that are not too long. KEYS[1]: the hash. ARGV: the maximum number of names, and
     * the maximum length of a name in bytes. A script is needed because no Redis command returns only some of the
     * names.
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

    /**
     * A script that returns the values that are not too long. KEYS[1]: the hash. ARGV: the maximum length of a value in
     * bytes, and the names.
     */
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
     * @param tooMany whether there are too many names. If so, no names were read
     * @param tooLong the names that are too long
     */
    public record Names(boolean tooMany, List<String> all, List<TooLong> tooLong) {}

    /** The start of a name that is too long to read, with the name's length in bytes. */
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

    /**
     * The value for each name: a string, the number of bytes if the value is too long, or {@code null} if there is no
     * value.
     */
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
