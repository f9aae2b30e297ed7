package dev.sluice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Feeds a reader with the lines of a corpus, then with what becomes of them when they are cut, joined and mangled. The corpora are in {@code
 * src/test/resources/fuzz}; in their lines, {@code \n}, {@code \r}, {@code \t}, {@code \\} and {@code \}uXXXX stand for characters. Whatever a
 * reader failed at becomes a line there.
 *
 * <p>The same inputs each time; {@code -Dsluice.fuzz=1000000} takes more, and {@code -Dsluice.fuzz.seed=7} others.
 */
public final class Fuzz {

    private static final int INPUTS = Integer.getInteger("sluice.fuzz", 3_000);
    private static final long SEED = Long.getLong("sluice.fuzz.seed", 20_260_101);
    private static final int LONGEST = 4_000;
    private static final String ODD =
            "\u0000\u0001\u001b\r\n\t \"'\\/;,=:%#?&@[]{}()<>*!|~`-_.0139fF\u0080\u00e9\u202e\u2028\ud83d\ufffe";

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-f]{4}|.)");

    private final Random random;
    private final List<String> corpus;

    private Fuzz(String name) {
        this.corpus = corpus(name);
        this.random = new Random(SEED + name.hashCode());
    }

    /** Reads all inputs that are made of a corpus; an input at which the reader throws is shown. */
    public static void each(String corpus, Consumer<String> reader) {
        Fuzz fuzz = new Fuzz(corpus);
        fuzz.corpus.forEach(line -> read(line, reader));
        for (int i = 0; i < INPUTS; i++) {
            read(fuzz.next(), reader);
        }
    }

    /** Whether a text can be shown on one line of a log. */
    public static boolean isPlain(String text) {
        return text.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0x2028);
    }

    private static void read(String input, Consumer<String> reader) {
        try {
            reader.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("a reader failed; add this line to its corpus: " + escaped(input), e);
        }
    }

    private String next() {
        StringBuilder input = new StringBuilder(any());
        for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
            change(input);
        }
        return input.substring(0, Math.min(input.length(), LONGEST));
    }

    private String any() {
        return corpus.get(random.nextInt(corpus.size()));
    }

    private void change(StringBuilder input) {
        int at = random.nextInt(input.length() + 1);
        int to = Math.min(input.length(), at + random.nextInt(1 + random.nextInt(12)));
        switch (random.nextInt(7)) {
            case 0 -> input.delete(at, to);
            case 1 -> input.replace(at, to, character());
            case 2 -> input.insert(at, character().repeat(1 + random.nextInt(3)));
            case 3 -> input.insert(at, input.substring(at, to).repeat(1 + random.nextInt(40)));
            case 4 -> input.replace(at, input.length(), tail(any()));
            case 5 -> input.insert(at, tail(any()));
            default -> input.replace(at, to, number());
        }
    }

    private String tail(String text) {
        return text.substring(random.nextInt(text.length() + 1));
    }

    private String character() {
        int i = random.nextInt(ODD.length());
        return random.nextInt(8) == 0 ? String.valueOf((char) random.nextInt(0x10000)) : ODD.substring(i, i + 1);
    }

    private String number() {
        return switch (random.nextInt(5)) {
            case 0 -> "0";
            case 1 -> "-1";
            case 2 -> String.valueOf(Long.MAX_VALUE);
            case 3 -> "99999999999999999999";
            default -> String.valueOf(1L << random.nextInt(63));
        };
    }

    private static List<String> corpus(String name) {
        List<String> lines = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Path.of("src/test/resources/fuzz", name))) {
                lines.add(unescaped(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
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
