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
 * Hashes secret values for counters and reports. A hash is {@code #} and 22 characters: the first 128 bits of an
 * HMAC-SHA256 in URL-safe Base64. The same key gives the same hash on every instance. Thread-safe.
 *
 * <p>Recent values are cached with their hashes in a fixed number of slots; each value may be in either of two. Threads
 * read and write slots without synchronisation, which is safe: entries are immutable, and a thread that does not find a
 * value hashes it again.
 */
public final class SecretDigest implements UnaryOperator<String> {

    /** The prefix of each hash, so that people recognise it. */
    static final String MARK = "#";

    /** How many characters follow the {@link #MARK}. */
    private static final int LENGTH = 22;

    private static final Pattern HASH = Pattern.compile(MARK + "[A-Za-z0-9_-]{" + LENGTH + "}");
    /**
     * A text that is probably a hash with characters missing or added: its length is from half that of a hash to twice
     * that.
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

    /** HMAC-SHA256 with this key. Without the key, nobody can find the value of a hash by trial. */
    public static SecretDigest keyed(String key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), HMAC));
            return new SecretDigest(value -> digest(mac, value), true);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + HMAC, e);
        }
    }

    /** SHA-256 without a key: anyone who sees a hash can find its value by trial. */
    public static SecretDigest unkeyed() {
        return new SecretDigest(Sha256::of, false);
    }

    /** Computes the digest with a copy of the prepared digest, so that the key is set up only once. */
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

    /** Why a text looks like a truncated hash, without quoting it; empty if it does not. */
    public static String damage(String text) {
        return DAMAGED.matcher(text).matches() && !isHash(text)
                ? "looks like a hash from sluice hash, but " + (text.length() - MARK.length())
                        + " characters follow the " + MARK + ", and a hash has " + LENGTH
                : "";
    }

    /** Whether hashes use a key. */
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

    /** The hash of a value that must not stay in memory. */
    String unremembered(String value) {
        return hashed(value);
    }

    private String hashed(String value) {
        byte[] first = Arrays.copyOf(hash.apply(value), BYTES);
        return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(first);
    }

    private record Entry(String value, String hashed) {}
}
