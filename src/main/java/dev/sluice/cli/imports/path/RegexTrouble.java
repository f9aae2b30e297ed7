package dev.sluice.cli.imports.path;

import java.io.Serial;

/** An expression says something that patterns have no word for. */
final class RegexTrouble extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String sentence;

    RegexTrouble(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
