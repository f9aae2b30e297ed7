package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import dev.sluice.limits.SubjectSource;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code login} source. Its value is the user name of a login attempt. People sometimes type a password in place of
 * their name, so the values are always secret: counters and reports contain only hashes, and the values are never
 * cached. Anybody can try any name, so this source is never trusted.
 *
 * <p>Spellings that a user database might treat as the same name share one counter. For this reason, surrounding spaces
 * and invisible characters are removed, and the name is normalised to NFKC and case-folded.
 */
record LoginName() implements SubjectResolver {

    static final String SOURCE = "login";

    /**
     * The maximum length of a name that is normalised. No account has a longer name, and the time needed to normalise a
     * name can be quadratic in its length.
     */
    private static final int LONGEST = 1_000;

    /**
     * Characters that Unicode allows programs to ignore: control characters, format characters and variation selectors.
     */
    private static final Pattern INVISIBLE = Pattern.compile(
            "[\\p{Cc}\\p{Cf}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u3164\\uFE00-\\uFE0F\\uFFA0"
                    + "\\x{E0100}-\\x{E01EF}]+");

    private static final Pattern AROUND = Pattern.compile("^[\\p{Z}\\s]+|[\\p{Z}\\s]+$");

    /** Creates the source. Its values are hashed with the secret key from the file. */
    static SubjectSource source(SecretDigest secrets) {
        return new SubjectSource(
                SubjectSource.LOGIN, new LoginName(), name -> secrets.unremembered(normalised(name)), false, false);
    }

    @Override
    public @Nullable String resolve(Call call) {
        String tried = call.login();
        return tried == null ? null : normalised(tried);
    }

    /** Returns the normal form of a name. Normalising the result again does not change it. */
    static String normalised(String tried) {
        String before;
        String after = bare(tried);
        if (after.length() > LONGEST) {
            return after;
        }
        do {
            before = after;
            after = bare(folded(Normalizer.normalize(before, Normalizer.Form.NFKC)));
        } while (!after.equals(before) && after.length() <= LONGEST);
        return after;
    }

    private static String folded(String name) {
        return name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    private static String bare(String name) {
        return AROUND.matcher(INVISIBLE.matcher(name).replaceAll("")).replaceAll("");
    }
}
