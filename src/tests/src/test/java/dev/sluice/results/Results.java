package dev.sluice.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The latest measurement of all figures, in the order of the file. Not thread-safe. */
public final class Results {

    /** The path of the results in the project. */
    public static final Path FILE = Path.of("src", "benchmarks", "results.csv");

    private final List<Result> results = new ArrayList<>();

    /** The results in a file; empty if there is no such file. */
    public static Results read(Path file) throws IOException {
        Results read = new Results();
        if (Files.exists(file)) {
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || !lines.get(0).equals(Result.HEAD)) {
                throw new IllegalArgumentException(file + " does not begin with " + Result.HEAD);
            }
            lines.stream().skip(1).map(Result::parse).forEach(read::put);
        }
        return read;
    }

    /** Replaces the earlier result for the same figure, in the same place. */
    public void put(Result result) {
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i).measuresTheSameAs(result)) {
                results.set(i, result);
                return;
            }
        }
        results.add(result);
    }

    /** All of them. */
    public List<Result> all() {
        return List.copyOf(results);
    }

    public Optional<Result> find(String subject, String contestant, String figure) {
        return results.stream()
                .filter(result -> result.subject().equals(subject)
                        && result.contestant().equals(contestant)
                        && result.figure().equals(figure))
                .findFirst();
    }

    /** Whether there is any result of a contestant. */
    boolean has(String subject, String contestant) {
        return results.stream()
                .anyMatch(result ->
                        result.subject().equals(subject) && result.contestant().equals(contestant));
    }

    /** Writes them to a file, whose folder must be there. */
    public void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(Result.HEAD));
        results.forEach(result -> lines.add(result.toString()));
        Files.write(file, lines);
    }
}
