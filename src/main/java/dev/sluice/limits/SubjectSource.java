package dev.sluice.limits;

import dev.sluice.SubjectResolver;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One link of a subject's chain: a resolver under the name the file gives it.
 *
 * @param name as written in the file, for example {@code header:X-Org-Id}, or {@code hash(header:X-Api-Key)} for one
 *     whose values are secret
 * @param resolver finds the value in a call
 * @param digest makes of a secret value what is counted and told in its place; {@code null} if values are no secrets
 * @param needsAuthentication whether it may yield something only once a call has been authenticated
 */
public record SubjectSource(
        String name, SubjectResolver resolver, @Nullable UnaryOperator<String> digest, boolean needsAuthentication) {

    private static final String HASH = "hash(";

    /** A source whose values are no secrets. */
    public SubjectSource(String name, SubjectResolver resolver) {
        this(name, resolver, null, false);
    }

    /** The same source, whose values are secret; itself if they are already. Its name differs, and so do its counters. */
    public SubjectSource hashedBy(UnaryOperator<String> secrets) {
        return isSecret() ? this : new SubjectSource(HASH + name + ')', resolver, secrets, needsAuthentication);
    }

    /** The same source, with another resolver. */
    public SubjectSource with(SubjectResolver other) {
        return new SubjectSource(name, other, digest, needsAuthentication);
    }

    public boolean isSecret() {
        return digest != null;
    }

    /** The same by its name, which is all that is known of a source of another instance. */
    public boolean isNamedSecret() {
        return !plainName(name).equals(name);
    }

    /** By what a value is counted and told: itself, or its hash if it is secret. */
    public String counted(String value) {
        return digest == null ? value : digest.apply(value);
    }

    /** The name of a source without what makes it secret: {@code header:X-Api-Key}. */
    public static String plainName(String name) {
        return name.startsWith(HASH) && name.endsWith(")") ? name.substring(HASH.length(), name.length() - 1) : name;
    }
}
