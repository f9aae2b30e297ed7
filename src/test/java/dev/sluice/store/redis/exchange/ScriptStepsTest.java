package dev.sluice.store.redis.exchange;

import static dev.sluice.store.Exchanges.claimOf;
import static dev.sluice.store.Exchanges.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.store.redis.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many steps the script takes, counted in Redis: runs of a loop's body, and calls of the script's functions. */
class ScriptStepsTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    /** The ends of the lines after which a step is counted. */
    private static final Pattern STEP = Pattern.compile("(?m)(\\bdo|\\bfunction\\b.*\\))$");

    /** The script of the product, which also stores the number of its steps. */
    private static final String COUNTING = "local steps = 0\nlocal function apply()\n"
            + STEP.matcher(ExchangeScript.TEXT).replaceAll("$1 steps = steps + 1")
            + "\nend\nlocal reply = apply()\nredis.call('SET', 'steps', steps)\nreturn reply";

    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    private final ExchangeScript script = new ExchangeScript(TimeToLive.USUAL, "news");
    private final long end = System.currentTimeMillis() + 600_000;

    @BeforeAll
    static void connect() {
        client = RedisClient.create(redis.uri());
        connection = client.connect();
    }

    @AfterAll
    static void disconnect() {
        client.shutdown();
    }

    @Test
    void anExchangeTakesNoMoreStepsTheMoreInstancesHoldShares() throws Exception {
        long withFew = stepsOfAnExchange("few", 2);
        long withMany = stepsOfAnExchange("many", 150);
        assertThat(withFew).as("one step at least for each counter").isGreaterThan(Chunk.COUNTERS);
        assertThat(withMany - withFew)
                .as("further steps with 150 instances, after %d with two", withFew)
                .isLessThan(Chunk.COUNTERS);
    }

    /** The steps of an exchange for many counters, of which so many instances hold shares. */
    private long stepsOfAnExchange(String endpoint, int instances) throws Exception {
        List<Claim> claims = IntStream.range(0, Chunk.COUNTERS)
                .mapToObj(i -> claimOf(key(endpoint, "t" + i, 0, end), 1_000_000)
                        .holding(3)
                        .leasedFor(Duration.ofMinutes(5))
                        .claim())
                .toList();
        for (int i = 0; i < instances; i++) {
            apply(new Batch(endpoint + i, 1, claims));
        }
        apply(new Batch(endpoint + 1, 2, claims));
        return Long.parseLong((String) redis.call("GET", "steps"));
    }

    private void apply(Batch batch) throws Exception {
        AsyncCommand<String, String, String> call = script.call(
                CommandType.EVAL, COUNTING, batch, Chunk.ofAll(batch).get(0));
        connection.dispatch(call);
        assertThat(call.get(60, TimeUnit.SECONDS)).isNotEmpty();
    }
}
