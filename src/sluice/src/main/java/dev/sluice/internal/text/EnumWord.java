package dev.sluice.internal.text;

import java.util.Locale;

/** Converts enum constants to words. Each constant has the same word in the file, in JSON, in metrics and in logs. */
public final class EnumWord {

    private EnumWord() {}

    /** The word for a constant, for example {@code would-refuse}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
