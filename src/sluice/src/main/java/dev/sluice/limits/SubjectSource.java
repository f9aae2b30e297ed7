package dev.sluice.limits;

import dev.sluice.SubjectResolver;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One source of a subject: a resolver, and its name in the file. Immutable and thread-safe.
 *
 * @param name the name in the file, for example {@code header:X-Org-Id}; {@code hash(header:X-Api-Key)} if its values
 *     are secret
 * @param resolver the resolver that finds the value in a call
 * @param digest the function that hashes secret values for counting and reports; {@code null} if values are not secret
 * @param needsAuthentication whether the source yields a value only after authentication
 * @param isTrusted whether no caller can present another caller's value
 */
public record SubjectSource(
        String name,
        SubjectResolver resolver,
        @Nullable UnaryOperator<String> digest,
        boolean needsAuthentication,
        boolean isTrusted) {

    private static final String HASH = "hash(";

    /**
     * The name of the {@code login} source. It yields the user name of a login attempt. Its values are always secret.
     */
    public static final String LOGIN = HASH + "login)";

    /** Creates a source whose values are not secret. Callers can choose the values. */
    public SubjectSource(String name, SubjectResolver resolver) {
        this(name, resolver, null, false, false);
    }

    /**
     * Returns a copy with secret values, which are therefore unknown to other callers. Returns this source if its
     * values are already secret. The copy has a different name, and therefore its own counters.
     */
    public SubjectSource hashedBy(UnaryOperator<String> secrets) {
        return isSecret() ? this : new SubjectSource(HASH + name + ')', resolver, secrets, needsAuthentication, true);
    }

    /** Returns a copy with the given resolver. */
    public SubjectSource withResolver(SubjectResolver other) {
        return new SubjectSource(name, other, digest, needsAuthentication, isTrusted);
    }

    /** Returns a copy that is marked as trusted: no caller can present another caller's value. */
    public SubjectSource trusted() {
        return new SubjectSource(name, resolver, digest, needsAuthentication, true);
    }

    public boolean isSecret() {
        return digest != null;
    }

    /**
     * Whether the source's name marks its values as secret. The name is all that this instance knows about a source
     * that was reported by another instance.
     */
    public boolean isNamedSecret() {
        return !plainName(name).equals(name);
    }

    /** Returns the key for this value in counters and reports. The key of a secret value is its hash. */
    public String keyOf(String value) {
        return digest == null ? value : digest.apply(value);
    }

    /** Returns the name without {@code hash(…)}, for example {@code header:X-Api-Key}. */
    public static String plainName(String name) {
        return name.startsWith(HASH) && name.endsWith(")") ? name.substring(HASH.length(), name.length() - 1) : name;
    }
}
