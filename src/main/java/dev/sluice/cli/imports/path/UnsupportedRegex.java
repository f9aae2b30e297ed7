package dev.sluice.cli.imports.path;

import java.io.Serial;

/** An expression that no pattern can stand for, with the reason. */
final class UnsupportedRegex extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String sentence;

    UnsupportedRegex(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
