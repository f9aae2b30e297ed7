package dev.sluice;

/**
 * One part of a caller's identity: the value that a source found for a subject. Immutable and thread-safe.
 *
 * @param name the subject, for example {@code tenant}
 * @param source where the value was found, for example {@code header:X-Org-Id}; {@link #NONE} if no source had a value
 * @param value the caller's value. A value of more than 64 characters is replaced with its SHA-256. A secret value is
 *     replaced with {@code #} followed by a keyed hash
 */
public record Subject(String name, String source, String value) {

    /** The source of a subject for which no source had a value. */
    public static final String NONE = "none";

    /** The source whose value is the name of the instance. With this source, each instance has its own counters. */
    public static final String SERVER = "server";
}
