package dev.sluice;

/**
 * Who is counted, in one respect: the value that a source found for a named subject.
 *
 * @param name the subject, for example {@code tenant}
 * @param source where the value was found, for example {@code header:X-Org-Id}; {@code none} if no source had one
 * @param value the caller's name there; a value over 64 characters stands as its SHA-256, and a secret one as its hash
 *     behind a {@code #}
 */
public record Subject(String name, String source, String value) {

    /** The source of a subject for which no link of its chain yielded a value. */
    public static final String NONE = "none";
}
