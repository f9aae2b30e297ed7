package dev.sluice.snippets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Something that a page shows to be copied.
 *
 * @param page the file
 * @param line the number of its first line there
 * @param text all its lines
 */
record Snippet(Path page, int line, String text) {

    private static final List<String> FOLDERS = List.of("docs", "examples");

    /** All snippets in this language. */
    static List<Snippet> in(String language) {
        Pattern fenced = Pattern.compile("^( *)```" + language + "\\n(.*?)^ *```", Pattern.MULTILINE | Pattern.DOTALL);
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages()) {
            String all = read(page);
            fenced.matcher(all).results().forEach(found -> {
                int line = (int) all.substring(0, found.start(2)).lines().count() + 1;
                snippets.add(new Snippet(page, line, found.group(2).replaceAll("(?m)^" + found.group(1), "")));
            });
        }
        return snippets;
    }

    /** The README, the pages of the documentation and of the examples. */
    static List<Path> pages() {
        try (Stream<Path> onTop = Files.list(Path.of(""))) {
            List<Path> pages = new ArrayList<>(onTop.toList());
            for (String folder : FOLDERS) {
                try (Stream<Path> files = Files.walk(Path.of(folder))) {
                    pages.addAll(files.toList());
                }
            }
            return pages.stream()
                    .filter(page -> page.toString().endsWith(".md"))
                    .filter(page -> !page.toString().contains("target"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isOf(String name) {
        return page.endsWith(name);
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
