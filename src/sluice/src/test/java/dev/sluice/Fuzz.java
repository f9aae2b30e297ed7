package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The corpora for the fuzz tests, in {@code src/test/resources/fuzz}. In their lines, {@code \n}, {@code \r},
 * {@code \t}, {@code \\} and {@code \}uXXXX stand for characters. Every build reads them unchanged, and some mutations
 * of them, by {@link MutatedInputs}. Jazzer tries more, for one test at a time: {@code mvn test -Pfuzz
 * -Dtest='AddressFuzzTest#anAddressIsOneOrNone'}. Add an input that a reader fails at to its corpus.
 */
public final class Fuzz {

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-f]{4}|.)");

    /** The longest CPU time for one input; more with Jazzer, whose instrumentation makes readers slower. */
    private static final Duration LONGEST = Duration.ofSeconds(Boolean.getBoolean("jazzer.hooks") ? 10 : 2);

    private Fuzz() {}

    /** The lines of a corpus. */
    public static Stream<String> corpus(String name) {
        try {
            return Files.readAllLines(Path.of("src/sluice/src/test/resources/fuzz", name)).stream()
                    .map(Fuzz::unescaped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets a reader read a text; fails, and shows the text, if the reader throws or takes too long. */
    public static void read(String input, Consumer<String> reader) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        try {
            reader.accept(input);
            Duration taken = Duration.ofNanos(threads.getCurrentThreadCpuTime() - begun);
            assertThat(taken).as("time to read it").isLessThan(LONGEST);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("a reader failed; add this line to its corpus: " + escaped(input), e);
        }
    }

    /** Whether a text can be shown on one line of a log. */
    public static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0x2028);
    }

    private static String unescaped(String line) {
        return ESCAPE.matcher(line).replaceAll(escape -> Matcher.quoteReplacement(character(escape.group(1))));
    }

    private static String character(String escape) {
        return switch (escape.charAt(0)) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case 'u' -> String.valueOf((char) Integer.parseInt(escape, 1, 5, 16));
            default -> escape;
        };
    }

    private static String escaped(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                line.append("\\\\");
            } else if (c == '\n') {
                line.append("\\n");
            } else if (c < ' ' || c > '~') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
