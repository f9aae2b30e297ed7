package dev.sluice.internal.limiter.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes games under one limit as the module {@code Games}, with which {@code spec/check} replays them. */
final class GamesModule {

    private static final Path FOLDER = Path.of("target", "spec", "games");

    private GamesModule() {}

    /** Writes it to a folder of this name. */
    static void write(String name, List<RecordedGame> games) throws IOException {
        Path folder = FOLDER.resolve(name);
        Files.createDirectories(folder);
        String all = IntStream.range(0, games.size())
                .mapToObj(game -> text(game + 1, games.get(game).lines()))
                .collect(Collectors.joining(",\n"));
        Files.writeString(folder.resolve("Games.tla"), """
                ------------------------------- MODULE Games -------------------------------
                EXTENDS Integers, TLC
                LimitOfGames == %d
                WindowsOfGames == %d
                WantedOfGames == %d
                Games == <<
                %s
                >>
                =============================================================================
                """.formatted(
                games.get(0).limit(), most(games, RecordedGame::windows), most(games, RecordedGame::mostWanted), all));
    }

    private static long most(List<RecordedGame> games, ToLongFunction<RecordedGame> what) {
        return games.stream().mapToLong(what).max().orElseThrow();
    }

    private static String text(int number, List<TraceLine> lines) {
        return IntStream.range(0, lines.size())
                .mapToObj(line -> "%s%s \\* %d.%d %s"
                        .formatted(
                                lines.get(line).text(),
                                line + 1 < lines.size() ? "," : "",
                                number,
                                line + 1,
                                lines.get(line).words()))
                .collect(Collectors.joining("\n", "<<\n", "\n>>"));
    }
}
