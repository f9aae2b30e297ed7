package dev.sluice.snippets;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Commands that a page shows: all lines of an {@code sh} block, or those of a {@code console} block that begin with
 * {@code $}, each with what it prints.
 */
record ShellBlock(Snippet snippet, List<Step> steps) {

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    /** A command, with the output that the page shows below it; empty if the page shows none. */
    record Step(String command, String output) {

        /** Its words, as a shell would separate them. */
        List<String> words() {
            return WORD.matcher(command)
                    .results()
                    .map(MatchResult::group)
                    .map(word -> word.matches("'[^']*'")
                            ? word.substring(1, word.length() - 1)
                            : word.replaceAll("['\"]", ""))
                    .toList();
        }
    }

    static Stream<ShellBlock> all() {
        return Stream.concat(
                Snippet.in("sh").stream().map(ShellBlock::ofCommands),
                Snippet.in("console").stream().map(ShellBlock::ofDialogue));
    }

    private static ShellBlock ofCommands(Snippet snippet) {
        List<Step> steps = snippet.text()
                .replace("\\\n", " ")
                .lines()
                .flatMap(line -> Stream.of(line.replaceAll("(^| +)# .*", "").split(" && ", -1)))
                .map(String::strip)
                .filter(command -> !command.isEmpty())
                .map(command -> new Step(command, ""))
                .toList();
        return new ShellBlock(snippet, steps);
    }

    private static ShellBlock ofDialogue(Snippet snippet) {
        List<Step> steps = new ArrayList<>();
        for (String part : snippet.text().split("(?m)^\\$ ", -1)) {
            if (!part.isBlank()) {
                String[] lines = part.split("\n", 2);
                String[] commands = lines[0].split(" && ", -1);
                for (String command : List.of(commands).subList(0, commands.length - 1)) {
                    steps.add(new Step(command, ""));
                }
                steps.add(new Step(commands[commands.length - 1], lines[1].stripTrailing()));
            }
        }
        return new ShellBlock(snippet, steps);
    }

    /** The page, with slashes on every system. */
    String page() {
        return snippet.page().toString().replace('\\', '/');
    }

    boolean has(String command) {
        return steps.stream().anyMatch(step -> step.command().startsWith(command));
    }

    @Override
    public String toString() {
        return snippet + " " + steps.get(0).command();
    }
}
