package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every page of the project can be read in a terminal, and its links lead somewhere. */
@Tag("docs")
class MarkdownTest {

    private static final int LONGEST_LINE = 120;

    /** The output of programs is in blocks of these kinds, and may have long lines. */
    private static final Set<String> OUTPUT = Set.of("```text", "```console");

    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern LINK = Pattern.compile("]\\(([^()\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void linesAreNoLongerThanATerminalIsWide() throws IOException {
        assertThat(pages().flatMap(MarkdownTest::longLines)).isEmpty();
    }

    @Test
    void aLongLineIsFound() {
        String wide = "x".repeat(LONGEST_LINE + 1);
        String text = "é".repeat(LONGEST_LINE) + "\n| " + wide + " |\n```text\n" + wide + "\n```\n```yaml\n" + wide
                + "\n```\n";
        assertThat(longLines("page.md", text)).containsExactly("page.md:2: 125", "page.md:7: 121");
    }

    @Test
    void linksLeadToPagesAndHeadingsThatAreThere() throws IOException {
        assertThat(pages().flatMap(MarkdownTest::brokenLinks)).isEmpty();
    }

    @Test
    void aBrokenLinkIsFound() {
        Path page = Path.of("docs", "page.md");
        String text = """
            # `mode` (of a page)
            [here](#mode-of-a-page) [not here](#mode) [there](stores.md#which-one) [not there](stores.md#that-one)
            [up](../README.md) [not up](CONTRIBUTING.md) [elsewhere](https://example.org/#any)
            """;
        assertThat(brokenLinks(page, text))
                .containsExactly(page + ": #mode", page + ": stores.md#that-one", page + ": CONTRIBUTING.md");
    }

    private static Stream<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(""))) {
            files.filter(MarkdownTest::isPage).forEach(pages::add);
        }
        for (String folder : List.of("docs", "examples")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(MarkdownTest::isPage).forEach(pages::add);
            }
        }
        assertThat(pages).hasSizeGreaterThan(20);
        return pages.stream().sorted();
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md");
    }

    private static Stream<String> longLines(Path page) {
        return longLines(page.toString(), read(page)).stream();
    }

    private static List<String> longLines(String page, String text) {
        List<String> found = new ArrayList<>();
        String fence = "";
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.strip().startsWith("```")) {
                fence = fence.isEmpty() ? line.strip() : "";
            }
            int length = line.codePointCount(0, line.length());
            if (length > LONGEST_LINE && !OUTPUT.contains(fence)) {
                found.add(page + ":" + number + ": " + length);
            }
        }
        return found;
    }

    private static Stream<String> brokenLinks(Path page) {
        return brokenLinks(page, read(page)).stream();
    }

    private static List<String> brokenLinks(Path page, String text) {
        return LINK.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.startsWith("https://") && !leadsSomewhere(page, text, link))
                .map(link -> page + ": " + link)
                .toList();
    }

    private static boolean leadsSomewhere(Path page, String text, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = page.resolveSibling(file).normalize();
        if (!file.isEmpty() && !Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(file.isEmpty() ? text : read(target)).contains(link.substring(hash + 1));
    }

    /** The anchors of headings: in lower case, without punctuation, and numbered if several are equal. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(FENCED.matcher(text).replaceAll("")).results().forEach(heading -> {
            String name = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            for (int n = 1; !anchors.add(n == 1 ? name : name + "-" + (n - 1)); n++) {
                // the next number is tried
            }
        });
        return anchors;
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
