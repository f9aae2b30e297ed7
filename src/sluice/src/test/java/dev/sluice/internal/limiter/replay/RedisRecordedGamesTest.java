package dev.sluice.internal.limiter.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.store.redis.script.ScriptInVirtualTime;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same with the script of the Redis store, in a real Redis. */
@Tag("store")
@Tag("thorough")
class RedisRecordedGamesTest {

    private static final int GAMES = 20;

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static ScriptInVirtualTime.Connection connection;

    @BeforeAll
    static void connect() {
        connection = new ScriptInVirtualTime.Connection(redis);
    }

    @AfterAll
    static void disconnect() {
        connection.close();
    }

    @Test
    void areWrittenForTheModelChecker() throws IOException {
        for (int limit : List.of(5, 25)) {
            List<RecordedGame> games = LongStream.rangeClosed(1, GAMES)
                    .mapToObj(seed ->
                            RecordedGame.play(seed, limit, loop -> new ScriptInVirtualTime(connection, loop::millis)))
                    .toList();
            GamesModule.write("redis-" + limit, games);
            assertThat(games).allSatisfy(game -> assertThat(game.lines()).hasSizeGreaterThan(20));
        }
    }
}
