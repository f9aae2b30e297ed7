package dev.sluice.internal.text;

import java.util.Locale;

/** The word for a constant of an enum: the same in the file, in JSON, metrics and logs. */
public final class EnumWord {

    private EnumWord() {}

    /** For example {@code would-refuse}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
