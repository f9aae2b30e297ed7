package dev.sluice;

import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Creates inputs for a reader by changing lines of its corpus; the same inputs for the same seed. */
final class Mutator {

    private static final int LONGEST = 4_000;
    private static final int MOST_CHANGES = 6;
    private static final Pattern TOKEN = Pattern.compile("\\w+|\\W");
    private static final String ODD_CHARACTERS =
            "\u0000\u0001\u001b\r\n\t \"'\\/;,=:%#?&@[]{}()<>*!|~`+-_.0139fF\u0080\u00e9\uff11\u202e\u2028\ud83d\ufffe";
    private static final List<String> ODD_NUMBERS =
            List.of("0", "-1", "1e3", "2147483648", "9223372036854775807", "99999999999999999999");

    private final Random random;
    private final List<String> corpus;
    /** The words and signs in the corpus, and characters that any reader may fail at. */
    private final List<String> tokens;

    Mutator(List<String> corpus, long seed) {
        this.random = new Random(seed);
        this.corpus = corpus;
        Stream<String> ofFormat =
                corpus.stream().flatMap(line -> TOKEN.matcher(line).results()).map(MatchResult::group);
        Stream<String> odd = ODD_CHARACTERS.chars().mapToObj(Character::toString);
        this.tokens = Stream.of(ofFormat, odd, ODD_NUMBERS.stream())
                .flatMap(all -> all)
                .distinct()
                .toList();
    }

    /** A line of the corpus with a few changes. */
    String next() {
        StringBuilder input = new StringBuilder(one(corpus));
        for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
            change(input);
        }
        return input.substring(0, Math.min(input.length(), LONGEST));
    }

    private void change(StringBuilder input) {
        int at = random.nextInt(input.length() + 1);
        int to = Math.min(input.length(), at + 1 + random.nextInt(12));
        switch (random.nextInt(6)) {
            case 0 -> flipBit(input, at);
            case 1 -> input.delete(at, to);
            case 2 -> input.insert(at, one(tokens));
            case 3 -> input.replace(at, to, one(tokens));
            case 4 -> input.insert(at, input.substring(at, to).repeat(1 + random.nextInt(40)));
            default -> input.replace(at, input.length(), tail(one(corpus)));
        }
    }

    private void flipBit(StringBuilder input, int at) {
        if (at < input.length()) {
            input.setCharAt(at, (char) (input.charAt(at) ^ 1 << random.nextInt(8)));
        }
    }

    private String tail(String line) {
        return line.substring(random.nextInt(line.length() + 1));
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
