package dev.sluice.limits;

import dev.sluice.SubjectResolver;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One source of a subject: a resolver with the name that the file gives it. Immutable and thread-safe.
 *
 * @param name the name in the file, for example {@code header:X-Org-Id}; {@code hash(header:X-Api-Key)} if its values
 *     are secret
 * @param resolver finds the value in a call
 * @param digest hashes a secret value for counting and reports; {@code null} if values are not secret
 * @param needsAuthentication whether it has a value only after authentication
 * @param isTrusted whether no caller can have another caller's value
 */
public record SubjectSource(
        String name,
        SubjectResolver resolver,
        @Nullable UnaryOperator<String> digest,
        boolean needsAuthentication,
        boolean isTrusted) {

    private static final String HASH = "hash(";

    /** The name of the source {@code login}, whose values are always secret: the name that a login tries. */
    public static final String LOGIN = HASH + "login)";

    /** A source whose values are not secret and can be chosen by callers. */
    public SubjectSource(String name, SubjectResolver resolver) {
        this(name, resolver, null, false, false);
    }

    /**
     * A copy with secret values, which other callers do not know; this source if its values are secret already. The
     * copy has another name, and therefore counters of its own.
     */
    public SubjectSource hashedBy(UnaryOperator<String> secrets) {
        return isSecret() ? this : new SubjectSource(HASH + name + ')', resolver, secrets, needsAuthentication, true);
    }

    /** A copy with another resolver. */
    public SubjectSource withResolver(SubjectResolver other) {
        return new SubjectSource(name, other, digest, needsAuthentication, isTrusted);
    }

    /** A copy whose values callers cannot choose. */
    public SubjectSource trusted() {
        return new SubjectSource(name, resolver, digest, needsAuthentication, true);
    }

    public boolean isSecret() {
        return digest != null;
    }

    /**
     * Whether its name says that its values are secret. Nothing else is known about a source that another instance has
     * reported.
     */
    public boolean isNamedSecret() {
        return !plainName(name).equals(name);
    }

    /** The key for this value, for counters and reports: its hash if it is secret. */
    public String keyOf(String value) {
        return digest == null ? value : digest.apply(value);
    }

    /** The name without {@code hash(…)}: {@code header:X-Api-Key}. */
    public static String plainName(String name) {
        return name.startsWith(HASH) && name.endsWith(")") ? name.substring(HASH.length(), name.length() - 1) : name;
    }
}
