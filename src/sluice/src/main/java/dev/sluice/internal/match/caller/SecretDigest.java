package dev.sluice.internal.match.caller;

import dev.sluice.internal.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hashes secret values for counters and reports. A hash is {@code #} followed by 22 characters, which are the first 128
 * bits of an HMAC-SHA256 in URL-safe Base64, or of a SHA-256 if there is no key. All instances with the same key
 * compute the same hash for a value. Thread-safe.
 *
 * <p>Recent values and their hashes are cached in a fixed number of slots. Each value has two possible slots. Threads
 * read and write slots without synchronisation. This is safe, because entries are immutable. If a thread does not find
 * a value, it simply computes the hash again.
 */
public final class SecretDigest implements UnaryOperator<String> {

    /** The prefix by which people recognise a hash. */
    static final String MARK = "#";

    /** The number of characters that follow the {@link #MARK}. */
    private static final int LENGTH = 22;

    private static final Pattern HASH = Pattern.compile(MARK + "[A-Za-z0-9_-]{" + LENGTH + "}");
    /**
     * The pattern of a text that is probably a hash with missing or additional characters. The length of such a text is
     * between half and twice the length of a hash.
     */
    private static final Pattern DAMAGED =
            Pattern.compile(MARK + "[A-Za-z0-9_-]{" + LENGTH / 2 + "," + 2 * LENGTH + "}");

    private static final int SLOTS = 1 << 14;
    private static final int LONGEST_REMEMBERED = 128;
    private static final int BYTES = 16;
    private static final String HMAC = "HmacSHA256";

    private final Function<String, byte[]> hash;
    private final boolean keyed;
    private final Entry[] slots = new Entry[SLOTS];

    private SecretDigest(Function<String, byte[]> hash, boolean keyed) {
        this.hash = hash;
        this.keyed = keyed;
    }

    /**
     * Returns a digest that uses HMAC-SHA256 with this key. Without the key, nobody can find the hashed value by trial
     * and error.
     */
    public static SecretDigest keyed(String key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), HMAC));
            return new SecretDigest(value -> digest(mac, value), true);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + HMAC, e);
        }
    }

    /**
     * Returns a digest that uses SHA-256 without a key. Anyone who sees a hash can find the hashed value by trial and
     * error.
     */
    public static SecretDigest unkeyed() {
        return new SecretDigest(Sha256::of, false);
    }

    /** Computes the hash with a copy of the prepared {@code Mac}, so that the key is initialised only once. */
    private static byte[] digest(Mac prepared, String value) {
        try {
            return ((Mac) prepared.clone()).doFinal(value.getBytes(StandardCharsets.UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's own digests can be copied", e);
        }
    }

    /** Whether a text has the form of a hash. */
    public static boolean isHash(String text) {
        return text.startsWith(MARK) && HASH.matcher(text).matches();
    }

    /**
     * Explains why a text looks like a damaged hash, without quoting the text. Returns an empty text if it does not
     * look like a damaged hash.
     */
    public static String damage(String text) {
        return DAMAGED.matcher(text).matches() && !isHash(text)
                ? "looks like a hash from sluice hash, but " + (text.length() - MARK.length())
                        + " characters follow the " + MARK + " instead of " + LENGTH
                : "";
    }

    /** Whether the hashes are computed with a key. */
    public boolean isKeyed() {
        return keyed;
    }

    @Override
    public String apply(String value) {
        if (value.length() > LONGEST_REMEMBERED) {
            return hashed(value);
        }
        int mixed = value.hashCode();
        int slot = (mixed ^ (mixed >>> 16)) & (SLOTS - 2);
        Entry latest = slots[slot];
        if (latest != null && latest.value.equals(value)) {
            return latest.hashed;
        }
        Entry earlier = slots[slot + 1];
        if (earlier != null && earlier.value.equals(value)) {
            return earlier.hashed;
        }
        Entry made = new Entry(value, hashed(value));
        slots[slot + 1] = latest;
        slots[slot] = made;
        return made.hashed;
    }

    /** Hashes a value that must not be cached. */
    String unremembered(String value) {
        return hashed(value);
    }

    private String hashed(String value) {
        byte[] first = Arrays.copyOf(hash.apply(value), BYTES);
        return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(first);
    }

    private record Entry(String value, String hashed) {}
}
