package dev.sluice;

/**
 * One part of a caller's identity: the value that a source found for a named subject.
 *
 * @param name the subject, for example {@code tenant}
 * @param source where the value was found, for example {@code header:X-Org-Id}; {@code none} if no source had one
 * @param value the caller's value; one over 64 characters is replaced by its SHA-256, and a secret one by a hash that
 *     follows a {@code #}
 */
public record Subject(String name, String source, String value) {

    /** The source of a subject when no source of its chain has a value. */
    public static final String NONE = "none";
}
