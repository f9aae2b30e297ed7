package dev.sluice.snippets;

import dev.sluice.cli.Invocation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** A directory with the files that pages name, in which commands are run. */
final class CommandWorld {

    /** A word that names a file, and not a pattern of paths, a header or an address. */
    private static final Pattern FILE = Pattern.compile("[\\w./*-]+\\.(yml|yaml|json|html|log|gz)");

    private static final String[] TIMES = {"01/Mar/2026:10:00:00 +0000", "01/Mar/2026:10:00:01 +0000"};
    private static final Map<String, String> LOGS = Map.of(
            "", "192.0.2.1 - - [%s] \"GET /product/1 HTTP/1.1\" 200 5\n",
            "$remote_addr", "192.0.2.1 [%s] \"GET /product/1 HTTP/1.1\" 200 \"acme\"\n",
            "%h", "192.0.2.1 - - [%s] \"GET /product/1 HTTP/1.1\" 200 5 \"acme\" 1000\n");
    private static final String JSON_LOG = "{\"time\":\"2026-03-01T10:00:00Z\",\"when\":\"2026-03-01T10:00:00Z\","
            + "\"remote_addr\":\"192.0.2.1\",\"request_method\":\"GET\",\"request_uri\":\"/product/1\",\"status\":200,"
            + "\"org\":{\"id\":\"acme\"}}\n";

    private static final String BUCKET4J = """
        bucket4j:
          filters:
            - url: /api/.*
              rate-limits:
                - cache-key: getRemoteAddr()
                  bandwidths: [ { capacity: 10, time: 1, unit: minutes } ]
        """;

    private final Path directory;
    private final Path project;
    private final Map<String, String> replaced = new HashMap<>();

    /** In this directory; files of the project that a page is in come first if it is an example. */
    CommandWorld(Path directory, Path project) throws IOException {
        this.directory = directory;
        this.project = project;
        String limits = Files.readString(Path.of("rate-limits.yml"));
        for (String name : List.of("rate-limits.yml", "new.yml")) {
            write(name, limits);
        }
        for (String name : List.of("access.log", "access.log.1.gz", "access.log.2.gz", "last-week.log.gz")) {
            write(name, log(""));
        }
        write("access.json", JSON_LOG + JSON_LOG);
        write("application.yml", BUCKET4J);
    }

    private static String log(String format) {
        return LOGS.get(format).formatted(TIMES[0]) + LOGS.get(format).formatted(TIMES[1]);
    }

    /** A file of this name, packed if its name says so. */
    Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream plain = Files.newOutputStream(file);
                OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    /** Stands for a value that is known only at run time, in input and output of the command line. */
    void replace(String shown, String actual) {
        replaced.put(shown, actual);
    }

    /** Runs the command line with these words, and prints names of files as they were given. */
    Invocation run(List<String> words) throws IOException {
        prepareFor(words);
        List<String> arguments = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        for (String word : words) {
            for (String argument : isFile(word) ? files(word) : List.of(actual(word))) {
                names.put(argument, isFile(word) ? word : argument);
                arguments.add(argument);
            }
        }
        Invocation run = Invocation.of(arguments.toArray(String[]::new));
        return new Invocation(run.exitCode(), asShown(run.out(), names), asShown(run.err(), names));
    }

    private void prepareFor(List<String> words) throws IOException {
        int format = words.indexOf("--format");
        if (format > 0) {
            write("access.log", log(words.get(format + 1).replaceAll(" .*", "")));
        }
        int suggestion = words.indexOf("--suggest");
        if (suggestion > 0) {
            Files.deleteIfExists(directory.resolve(words.get(suggestion + 1)));
            write("access.log", Files.readString(Path.of("examples", "rehearse", "access.log")));
        }
        if (words.contains("import")) {
            Files.delete(directory.resolve("rate-limits.yml"));
        }
    }

    private static boolean isFile(String word) {
        return FILE.matcher(word).matches();
    }

    /** The files that this word names: beside the page, in the project, or in the directory. */
    private List<String> files(String word) throws IOException {
        if (word.contains("*")) {
            String pattern = "glob:" + directory.resolve(word);
            try (Stream<Path> all = Files.list(directory)) {
                return all.filter(file ->
                                file.getFileSystem().getPathMatcher(pattern).matches(file))
                        .map(Path::toString)
                        .sorted()
                        .toList();
            }
        }
        Path beside = project.resolve(word);
        if (project.startsWith("examples") && Files.exists(beside)) {
            return List.of(beside.toString());
        }
        boolean isOfProject = word.startsWith("examples/") && Files.exists(Path.of(word));
        return List.of(isOfProject ? word : directory.resolve(word).toString());
    }

    private String actual(String word) {
        return replaced.getOrDefault(word, word);
    }

    private String asShown(String printed, Map<String, String> names) {
        String shown = printed;
        for (Map.Entry<String, String> name : names.entrySet()) {
            shown = shown.replace(name.getKey(), name.getValue());
        }
        for (Map.Entry<String, String> each : replaced.entrySet()) {
            shown = shown.replaceAll(Matcher.quoteReplacement(Pattern.quote(each.getValue())), each.getKey());
        }
        return shown.replace(directory + "/", "");
    }
}
