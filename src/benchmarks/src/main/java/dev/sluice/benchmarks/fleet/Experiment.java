package dev.sluice.benchmarks.fleet;

import dev.sluice.benchmarks.fleet.bursts.Bursts;
import dev.sluice.benchmarks.fleet.growth.Growth;
import dev.sluice.benchmarks.fleet.large.LargeFleets;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.ExperimentPart;
import dev.sluice.benchmarks.fleet.service.ServicePart;
import dev.sluice.benchmarks.fleet.steady.Steady;
import dev.sluice.benchmarks.fleet.stores.Stores;
import dev.sluice.benchmarks.fleet.tenants.TenantsPart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Measures how well the instances of a fleet count together. The experiment plays the same calls to several limiters,
 * each with several instances and its own Redis. For each limiter, it prints the time added to a call, the number of
 * requests to Redis, and how exactly the limit was enforced. It then prints whether Sluice has reached its targets, and
 * exits with status 1 if not.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar dev.sluice.benchmarks.fleet.Experiment [--list] [--quick] [--only
 * WORDS] [--csv FILE]}, where WORDS is a part of a title, such as {@code "8 instances, 5,000 calls/s, reshuffled"},
 * {@code Bursts}, {@code Growth}, {@code Large}, {@code Stores} (Sluice on Redis and on MongoDB), {@code Tenants} or
 * {@code Service}.
 */
public final class Experiment {

    private static final Path CSV = Path.of("target", "counting-together.csv");

    private Experiment() {}

    public static void main(String[] arguments) {
        boolean quick = false;
        boolean list = false;
        String only = "";
        Path csv = CSV;
        Iterator<String> words = List.of(arguments).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--quick")) {
                quick = true;
            } else if (word.equals("--list")) {
                list = true;
            } else if (word.equals("--only") && words.hasNext()) {
                only = words.next();
            } else if (word.equals("--csv") && words.hasNext()) {
                csv = Path.of(words.next());
            } else {
                giveUp("\"" + word + "\" is not a known option; write [--list] [--quick] [--only WORDS] [--csv FILE]");
            }
        }
        List<ExperimentPart> parts = List.of(
                new Bursts(quick),
                new Steady(quick, csv),
                new Growth(quick),
                new LargeFleets(quick),
                new Stores(),
                new TenantsPart(),
                new ServicePart());
        List<String> titles = titles(parts, only);
        if (titles.isEmpty()) {
            giveUp("no title has \"" + only + "\" in it");
        }
        if (list) {
            titles.forEach(System.out::println);
        } else {
            System.exit(play(parts, only) ? 0 : 1);
        }
    }

    private static List<String> titles(List<ExperimentPart> parts, String only) {
        return parts.stream().flatMap(part -> part.titles(only).stream()).toList();
    }

    /** Plays the parts. Returns whether all targets were met. */
    private static boolean play(List<ExperimentPart> parts, String only) {
        List<Figure> figures = new ArrayList<>();
        for (ExperimentPart part : parts) {
            if (!part.titles(only).isEmpty()) {
                figures.addAll(part.play(only));
                System.out.println();
            }
        }
        figures.forEach(System.out::println);
        return figures.stream().allMatch(Figure::isMet);
    }

    private static void giveUp(String why) {
        System.err.println(why);
        System.exit(2);
    }
}
