package dev.sluice.snippets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command of Maven that a page shows. It is not run; the phases, profiles, goals, tests and properties that it names
 * have to exist.
 */
final class MavenCommand {

    private static final Set<String> PHASES =
            Set.of("clean", "compile", "test-compile", "test", "package", "verify", "install");
    private static final Set<String> OPTIONS = Set.of("-q", "-B", "-ntp", "-o", "-pl");

    /** Properties that plugins read. */
    private static final Set<String> PROPERTIES = Set.of(
            "skipTests", "maven.test.skip", "skipPitest", "gpg.skip", "jvm", "spring-boot.run.arguments", "test");

    private MavenCommand() {}

    /** The words of the command that name nothing in the project in this directory. */
    static List<String> mistakes(Path project, List<String> words) {
        String pom = poms(project);
        List<String> mistakes = new ArrayList<>();
        for (int i = 1; i < words.size(); i++) {
            boolean namesModules = words.get(i - 1).equals("-pl");
            if (namesModules ? !areModules(project, words.get(i)) : !isKnown(words.get(i), pom)) {
                mistakes.add(words.get(i));
            }
        }
        return mistakes;
    }

    private static boolean areModules(Path project, String names) {
        return Stream.of(names.split(",", -1)).allMatch(name -> Files.exists(project.resolve(name + "/pom.xml")));
    }

    /** The text of the project's pom and of those of its modules. */
    private static String poms(Path project) {
        String root = Snippet.read(project.resolve("pom.xml"));
        return root
                + Pattern.compile("<module>(.+?)</module>")
                        .matcher(root)
                        .results()
                        .map(module -> Snippet.read(project.resolve(module.group(1) + "/pom.xml")))
                        .collect(Collectors.joining());
    }

    private static boolean isKnown(String word, String pom) {
        if (word.startsWith("-Dtest=")) {
            return Stream.of(word.substring("-Dtest=".length()).split(",", -1)).allMatch(MavenCommand::hasTest);
        }
        if (word.startsWith("-D")) {
            String name = word.substring(2).split("=", -1)[0];
            return PROPERTIES.contains(name)
                    || pom.contains("${" + name + "}")
                    || pom.contains("<" + name + ">")
                    || isRead(name);
        }
        if (word.startsWith("-P")) {
            return pom.contains("<id>" + word.substring(2) + "</id>");
        }
        if (word.contains(":")) {
            String[] goal = word.split("[:@]", -1);
            return (pom.contains("<artifactId>" + goal[0] + "-maven</artifactId>")
                            || pom.contains("<artifactId>" + goal[0] + "-maven-plugin</artifactId>")
                            || pom.contains("<artifactId>maven-" + goal[0] + "-plugin</artifactId>"))
                    && (goal.length < 3 || pom.contains("<id>" + goal[2] + "</id>"));
        }
        return PHASES.contains(word) || OPTIONS.contains(word);
    }

    /** Whether there is a test class of this name and, if one is given, with this method. */
    private static boolean hasTest(String test) {
        String[] parts = test.split("#", -1);
        Pattern name = Pattern.compile(parts[0].replace("*", ".*") + "\\.java");
        return sources()
                .anyMatch(
                        source -> name.matcher(source.getFileName().toString()).matches()
                                && (parts.length == 1 || Snippet.read(source).contains(" " + parts[1] + "(")));
    }

    private static boolean isRead(String property) {
        return property.startsWith("sluice.")
                && sources().anyMatch(source -> Snippet.read(source).contains('"' + property + '"'));
    }

    private static Stream<Path> sources() {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
