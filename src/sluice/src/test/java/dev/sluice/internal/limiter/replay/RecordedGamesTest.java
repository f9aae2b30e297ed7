package dev.sluice.internal.limiter.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plays a hundred random games of windows and writes them down for {@code spec/check --recorded}, which
 * replays them: each step has to be one that the model allows. They are in modules of TLA+, one for each limit, in
 * {@code target/spec/games}.
 */
@Tag("thorough")
class RecordedGamesTest {

    private static final int GAMES = 20;
    private static final List<Integer> LIMITS = List.of(2, 5, 10, 25, 40);

    @Test
    void areWrittenForTheModelChecker() throws IOException {
        for (int limit : LIMITS) {
            GamesModule.write("memory-" + limit, games(limit));
        }
    }

    /** The model checker has to refuse these, each at its last line. */
    @Test
    void areTamperedWith() throws IOException {
        List<RecordedGame> games = games(10);
        List<RecordedGame> tampered = TamperedGames.of(games).stream()
                .map(one -> games.get(0).with(one.lines()))
                .toList();
        GamesModule.write("tampered", tampered);
    }

    private static List<RecordedGame> games(int limit) {
        return LongStream.rangeClosed(1, GAMES)
                .mapToObj(seed -> RecordedGame.play(seed, limit, SimulatedFleet::inMemory))
                .toList();
    }

    /** Lines may come in any game: all that can happen does. */
    @Test
    void showAllThatCanHappen() {
        Set<String> seen = games(10).stream()
                .flatMap(game -> game.lines().stream())
                .map(TraceLine::op)
                .collect(Collectors.toSet());
        assertThat(seen)
                .contains("turn", "open", "admit", "refuse", "wait", "stay", "send", "resend", "lose", "apply")
                .contains("repeat", "answer", "hear", "lapse", "kill");
    }
}
