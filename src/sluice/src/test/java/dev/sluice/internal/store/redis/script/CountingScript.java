package dev.sluice.internal.store.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.redis.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The script of the product, which also counts in Redis what it does: its steps, which are runs of a loop's body and
 * calls of the script's functions, how much the commands have given it to read, and how many words they had.
 */
final class CountingScript implements AutoCloseable {

    /** The ends of the lines after which a step is counted. */
    private static final Pattern STEP = Pattern.compile("(?m)(\\bdo|\\bfunction\\b.*\\))$");

    private static final String COUNTING =
            """
            local steps, longest, most = 0, 0, 0
            local function weigh(reply)
              if type(reply) == 'string' then
                longest = math.max(longest, #reply)
              elseif type(reply) == 'table' then
                for _, part in ipairs(reply) do weigh(part) end
              end
              return reply
            end
            local function count(...)
              most = math.max(most, select('#', ...))
              return ...
            end
            local real = redis
            local redis = {
              replicate_commands = real.replicate_commands,
              error_reply = real.error_reply,
              sha1hex = real.sha1hex,
              call = function(...) return weigh(real.call(count(...))) end,
              pcall = function(...) return weigh(real.pcall(count(...))) end
            }
            local function apply()
            """ + STEP.matcher(ExchangeScript.TEXT).replaceAll("$1 steps = steps + 1") + """

            end
            local reply = apply()
            real.call('SET', 'work', steps .. ' ' .. longest .. ' ' .. most)
            return reply
            """;

    private final ExchangeScript script = new ExchangeScript(TimeToLive.USUAL, "news");
    private final RedisServer redis;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    CountingScript(RedisServer redis) {
        this.redis = redis;
        this.client = RedisClient.create(redis.uri());
        this.connection = client.connect();
    }

    /**
     * What one run did.
     *
     * @param reply its numbers
     * @param longest the most characters of one text that a command returned
     * @param words the most words of one command within the script, its name included
     */
    record Work(List<String> reply, long steps, long longest, long words) {

        /** What was granted of the first statement. */
        long granted() {
            return Long.parseLong(reply.get(8));
        }

        long total() {
            return Long.parseLong(reply.get(7));
        }
    }

    Work apply(Batch batch) throws Exception {
        AsyncCommand<String, String, String> call = script.call(
                CommandType.EVAL, COUNTING, batch, Chunk.ofAll(batch).get(0));
        connection.dispatch(call);
        String reply = call.get(60, TimeUnit.SECONDS);
        assertThat(reply).matches("[-\\d ]+");
        long[] work = Stream.of(((String) redis.call("GET", "work")).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        return new Work(List.of(reply.split(" ")), work[0], work[1], work[2]);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
