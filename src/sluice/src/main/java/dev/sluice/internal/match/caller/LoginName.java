package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import dev.sluice.limits.SubjectSource;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The source {@code login}: the name that a login tries. People type passwords there, so its values are always secret:
 * counters and reports know them by their hashes, and no cache keeps them. Anybody can try any name, so no caller is
 * trusted to have one.
 *
 * <p>Spellings that a user database may take for the same name count as one. So spaces around a name and invisible
 * characters are removed, and the name is normalised to NFKC and case-folded.
 */
record LoginName() implements SubjectResolver {

    static final String SOURCE = "login";

    /**
     * The longest name to normalise. No account has a longer name, and the time to normalise may grow with the square
     * of the length.
     */
    private static final int LONGEST = 1_000;

    /** Characters that Unicode lets programs ignore: controls, formats, and selectors of variants. */
    private static final Pattern INVISIBLE = Pattern.compile(
            "[\\p{Cc}\\p{Cf}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u3164\\uFE00-\\uFE0F\\uFFA0"
                    + "\\x{E0100}-\\x{E01EF}]+");

    private static final Pattern AROUND = Pattern.compile("^[\\p{Z}\\s]+|[\\p{Z}\\s]+$");

    /** Creates the source, whose hashes use the key of the file. */
    static SubjectSource source(SecretDigest secrets) {
        return new SubjectSource(
                SubjectSource.LOGIN, new LoginName(), name -> secrets.unremembered(normalised(name)), false, false);
    }

    @Override
    public @Nullable String resolve(Call call) {
        String tried = call.login();
        return tried == null ? null : normalised(tried);
    }

    /** The one spelling of a name that counts. Normalising it again changes nothing. */
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
