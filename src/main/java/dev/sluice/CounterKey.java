package dev.sluice;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Names one shared counter: whose calls, to which endpoint, by which tier, in which window. Two different keys never have
 * the same {@link #text()}: parts are escaped before they are joined, and a part over 64 bytes stands as its SHA-256.
 *
 * @param endpoint the endpoint's id
 * @param method the counted method, {@code *} where all methods share the counter
 * @param tier the tier's name, unique in its endpoint
 * @param subjects who is counted, in the order of the endpoint's {@code per}
 * @param start of the window, in milliseconds since 1970 by the store's clock
 * @param end of the window, likewise; the counter means nothing after it
 */
public record CounterKey(String endpoint, String method, String tier, List<Subject> subjects, long start, long end)
        implements Comparable<CounterKey> {

    /** How many shards keys are spread over. Every instance must agree, and data must stay findable, so it never changes. */
    public static final int SHARDS = 64;

    private static final int LONGEST_PART = 64;

    private static final Comparator<Subject> BY_SUBJECT =
            Comparator.comparing(Subject::value).thenComparing(Subject::name).thenComparing(Subject::source);
    private static final Comparator<CounterKey> ORDER = Comparator.comparing(
                    CounterKey::subjects,
                    (some, others) ->
                            Arrays.compare(some.toArray(Subject[]::new), others.toArray(Subject[]::new), BY_SUBJECT))
            .thenComparing(CounterKey::endpoint)
            .thenComparing(CounterKey::method)
            .thenComparing(CounterKey::tier)
            .thenComparingLong(CounterKey::start)
            .thenComparingLong(CounterKey::end);

    public CounterKey {
        subjects = List.copyOf(subjects);
    }

    /** The key as stores write it, for example {@code sluice:{17}:tenant=header-X-Org-Id=acme:get-product:GET:10s:1627318780000:1627318790000}. */
    public String text() {
        return "sluice:{" + shard() + "}:" + identity() + ':' + start + ':' + end;
    }

    /** The shard of all windows of this counter, from 0 to {@link #SHARDS} - 1. Equal on every instance. */
    public int shard() {
        return Math.floorMod(spread(identity()), SHARDS);
    }

    /** The same counter in the window of the same length that ended so many windows earlier. */
    public CounterKey earlier(int windows) {
        long back = windows * (end - start);
        return new CounterKey(endpoint, method, tier, subjects, start - back, end - back);
    }

    /** An order, so that maps find a key among many with the same hash, which callers can make up, without comparing it with each. */
    @Override
    public int compareTo(CounterKey other) {
        return ORDER.compare(this, other);
    }

    private String identity() {
        StringBuilder text = new StringBuilder();
        for (Subject subject : subjects) {
            text.append(text.isEmpty() ? "" : "+");
            text.append(part(subject.name())).append('=');
            text.append(part(subject.source())).append('=').append(part(subject.value()));
        }
        return text.append(':')
                .append(part(endpoint))
                .append(':')
                .append(part(method))
                .append(':')
                .append(part(tier))
                .toString();
    }

    /** FNV-1a with a final mix: cheap, and the same everywhere and for ever, which {@code String.hashCode} merely happens to be. */
    private static int spread(String identity) {
        int hash = 0x811c9dc5;
        for (int i = 0; i < identity.length(); i++) {
            hash = (hash ^ identity.charAt(i)) * 0x01000193;
        }
        return hash ^ (hash >>> 16);
    }

    /** Escapes a part so that joined parts can be told apart again; what opens a digest is no plain character. */
    private static String part(String raw) {
        byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
        if (!new String(bytes, StandardCharsets.UTF_8).equals(raw)) {
            return '~' + sha256(halves(raw));
        }
        if (bytes.length > LONGEST_PART) {
            return '#' + sha256(bytes);
        }
        StringBuilder escaped = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (isPlain(b)) {
                escaped.append((char) b);
            } else {
                escaped.append('%').append(HexFormat.of().toHexDigits(b));
            }
        }
        return escaped.toString();
    }

    /** The UTF-16 of a text with halves of characters in it, which UTF-8 would all turn into the same question mark. */
    private static byte[] halves(String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * raw.length());
        bytes.asCharBuffer().put(raw);
        return bytes.array();
    }

    private static boolean isPlain(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '*'
                || b == '/';
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
