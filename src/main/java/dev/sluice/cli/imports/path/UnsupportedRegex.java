package dev.sluice.cli.imports.path;

import java.io.Serial;

/** An expression that no pattern can stand for, with the reason. */
final class UnsupportedRegex extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    UnsupportedRegex(String sentence) {
        super(sentence);
    }
}
