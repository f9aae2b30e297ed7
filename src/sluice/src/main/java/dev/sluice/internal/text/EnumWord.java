package dev.sluice.internal.text;

import java.util.Locale;

/** Converts enum constants to words. A constant has the same word in the file, JSON, metrics and logs. */
public final class EnumWord {

    private EnumWord() {}

    /** The word for a constant, for example {@code would-refuse}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
