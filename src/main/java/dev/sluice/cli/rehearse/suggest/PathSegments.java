package dev.sluice.cli.rehearse.suggest;

import java.util.regex.Pattern;

/** Tells the parts of paths that name one thing of many, such as an id, from those that name a kind of thing. */
final class PathSegments {

    private static final int LONGEST_WORD = 40;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._~-]+");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern HASH = Pattern.compile("(?=.*\\d)[0-9A-Fa-f]{8,}");
    /** Words and numbers of several parts, such as {@code red-shoes-4711}, {@code how-to-tie-shoes} or a UUID. */
    private static final Pattern SLUG =
            Pattern.compile("(?=.*\\d)[A-Za-z0-9]+([-_][A-Za-z0-9]+){2,}|[A-Za-z0-9]+([-_][A-Za-z0-9]+){3,}");
    /** Letters and digits mixed, such as {@code a81Bc9} or {@code SKU4711}; not {@code v1}. */
    private static final Pattern CODE = Pattern.compile("(?=.*\\d.*\\d)(?=.*[A-Za-z])[A-Za-z0-9]{5,}");

    private PathSegments() {}

    /** Whether it is one of many. */
    static boolean isVariable(String segment) {
        return !WORD.matcher(segment).matches()
                || segment.length() > LONGEST_WORD
                || NUMBER.matcher(segment).matches()
                || HASH.matcher(segment).matches()
                || SLUG.matcher(segment).matches()
                || CODE.matcher(segment).matches();
    }
}
