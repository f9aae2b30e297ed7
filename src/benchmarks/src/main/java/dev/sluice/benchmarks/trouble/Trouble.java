package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.Play.PlayedScene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Plays every {@link TroubleScene} with three instances. Exits with status 1 if any promise is broken. Finishes within
 * ten minutes, and stops all processes that it has started.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.sluice.benchmarks.trouble.Trouble [--list] [--seed NUMBER]
 * [--only WORDS] [--soak 30m]}, where WORDS is a part of a scene's title, or the name of a store, such as
 * {@code cluster}. With {@code --soak}, a long run is played instead of the scenes.
 */
public final class Trouble {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final String USAGE = "[--list] [--seed NUMBER] [--only WORDS] [--soak 30m]";
    private static final int MOST_REPLAYS = 2;
    /**
     * The minimum stall of this process that excuses a failed scene. It is less than half of the time that a call waits
     * for the store.
     */
    private static final long STALL_MILLIS = 100;

    private Trouble() {}

    public static void main(String[] arguments) throws IOException {
        long seed = new Random().nextInt(1_000_000);
        String only = "";
        Duration soak = Duration.ZERO;
        boolean list = false;
        Iterator<String> words = List.of(arguments).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--list")) {
                list = true;
            } else if (word.equals("--seed") && words.hasNext()) {
                seed = Long.parseLong(words.next());
            } else if (word.equals("--only") && words.hasNext()) {
                only = words.next();
            } else if (word.equals("--soak") && words.hasNext()) {
                soak = Duration.parse("PT" + words.next());
            } else {
                giveUp("\"" + word + "\" is not a known option; write " + USAGE);
            }
        }
        List<TroubleScene> scenes = scenes(only);
        if (scenes.isEmpty()) {
            giveUp("no scene has \"" + only + "\" in it");
        }
        if (list) {
            scenes.forEach(scene -> System.out.println(scene.store() + ": " + scene.title()));
            return;
        }
        System.out.println("seed " + seed);
        endAfter(soak.isZero() ? LONGEST : soak.plusMinutes(2));
        Path directory = Path.of("target", "trouble", "seed-" + seed);
        boolean good = soak.isZero() ? play(scenes, seed, directory) : new Soak(soak, seed, directory).play();
        System.exit(good ? 0 : 1);
    }

    private static List<TroubleScene> scenes(String words) {
        return Stream.of(TroubleScene.values())
                .filter(scene ->
                        scene.title().contains(words) || scene.store().name().equalsIgnoreCase(words))
                .toList();
    }

    /** Plays the given scenes. Returns {@code true} if nothing failed. */
    private static boolean play(List<TroubleScene> scenes, long seed, Path directory) throws IOException {
        TroubleTable report = new TroubleTable();
        System.out.println(TroubleTable.head());
        for (World.Store store : World.Store.values()) {
            List<TroubleScene> here =
                    scenes.stream().filter(scene -> scene.store() == store).toList();
            if (here.isEmpty()) {
                continue;
            }
            try (World world = new World(store, seed, directory)) {
                Play.warmUp(world, seed);
                here.forEach(scene -> report.add(play(world, scene, seed)));
            }
        }
        System.out.println();
        Path table = Files.writeString(directory.resolve("table.md"), report.markdown());
        System.out.println("as Markdown: " + table + "; what the instances logged is beside it");
        return report.isGood();
    }

    /**
     * Plays a scene. If the scene fails while this process itself is starved of CPU, plays it again, because the
     * failure proves nothing.
     */
    private static PlayedScene play(World world, TroubleScene scene, long seed) {
        PlayedScene outcome = Play.of(world, scene, seed);
        String failures = TroubleTable.failures(outcome);
        for (int again = 1;
                again <= MOST_REPLAYS && outcome.stallMillis() > STALL_MILLIS && !failures.isEmpty();
                again++) {
            System.out.printf(
                    "%s: played again, because this process was starved of CPU for %d ms%n%s",
                    scene.title(), outcome.stallMillis(), failures);
            outcome = Play.of(world, scene, seed + again);
            failures = TroubleTable.failures(outcome);
        }
        System.out.print(failures);
        return outcome;
    }

    private static void endAfter(Duration longest) {
        Thread watch = new Thread(
                () -> {
                    try {
                        Thread.sleep(longest.toMillis());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    giveUp("gave up after " + longest.toMinutes() + " minutes");
                },
                "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static void giveUp(String why) {
        System.err.println(why);
        System.exit(2);
    }
}
