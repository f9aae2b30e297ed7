package dev.sluice;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The key of a counter in one window. It consists of the caller, the endpoint, the method, the tier and the window.
 * Different keys never have the same {@link #text()}, because parts are escaped before they are joined. Immutable and
 * thread-safe.
 *
 * <p>Parts can have any length. The limiter has already replaced a long {@link Subject#value()} with its SHA-256, so
 * keys and reports show the same value.
 *
 * @param endpoint the endpoint's id
 * @param method the method of the calls; {@code *} if all methods share the counter
 * @param tier the tier's name, unique in its endpoint
 * @param subjects the caller's subjects, in the order of the endpoint's {@code per}
 * @param start the start of the window, in milliseconds since 1970 by the store's clock; 0 if the tier has no windows
 * @param end the end of the window, by the same clock; 0 if the tier has no windows. The counter is not used after this
 *     time
 */
public record CounterKey(String endpoint, String method, String tier, List<Subject> subjects, long start, long end)
        implements Comparable<CounterKey> {

    /**
     * The number of shards over which counters are spread. It must never change, because all instances have to agree on
     * it, and because they have to find the counters that are already stored.
     */
    public static final int SHARDS = 16;

    private static final Comparator<CounterKey> ORDER = Comparator.comparing(CounterKey::subjects, CallerSubjects.ORDER)
            .thenComparing(CounterKey::endpoint)
            .thenComparing(CounterKey::method)
            .thenComparing(CounterKey::tier)
            .thenComparingLong(CounterKey::start)
            .thenComparingLong(CounterKey::end);

    public CounterKey {
        subjects = subjects instanceof CallerSubjects ? subjects : List.copyOf(subjects);
    }

    /**
     * The key as stores write it, for example {@code
     * sluice:{1/16}:tenant=header-X-Org-Id=acme:get-product:GET:10s:1627318780000:1627318790000}.
     */
    public String text() {
        return "sluice:{" + tag(shard()) + "}:" + identity() + ':' + start + ':' + end;
    }

    /**
     * The hash tag of a shard. A Redis Cluster with two, three, four or eight masters distributes the tags evenly over
     * the masters. If the tags were bare numbers, four of eight masters would be left without a shard.
     */
    public static String tag(int shard) {
        return shard + "/" + SHARDS;
    }

    /**
     * The shard of all windows of this counter, from 0 to {@link #SHARDS} - 1. All instances compute the same shard.
     */
    public int shard() {
        return Math.floorMod(spread(), SHARDS);
    }

    /** This key without its window. The result is the same for all windows of the counter. */
    public CounterKey withoutWindow() {
        return new CounterKey(endpoint, method, tier, subjects, 0, 0);
    }

    /** The key of the same counter, the given number of windows earlier. */
    public CounterKey earlier(int windows) {
        long back = windows * (end - start);
        return new CounterKey(endpoint, method, tier, subjects, start - back, end - back);
    }

    /** Defines a total order, so that hash maps stay fast even if callers construct many keys with equal hashes. */
    @Override
    public int compareTo(CounterKey other) {
        return ORDER.compare(this, other);
    }

    /**
     * The text of the key without its window. The text is the same for all windows of this counter, and different for
     * every other counter. Parts are escaped as in {@link #text()}.
     */
    public String identity() {
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

    /**
     * A hash of the {@link #identity}: FNV-1a with a final mix. It does not use {@code String.hashCode}, because
     * instances of all versions must compute the same hash.
     */
    public int spread() {
        String identity = identity();
        int hash = 0x811c9dc5;
        for (int i = 0; i < identity.length(); i++) {
            hash = (hash ^ identity.charAt(i)) * 0x01000193;
        }
        return hash ^ (hash >>> 16);
    }

    /** Escapes a part, so that joined parts stay unambiguous. */
    private static String part(String raw) {
        StringBuilder escaped = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); ) {
            int c = raw.codePointAt(i);
            if (isPlain(c)) {
                escaped.append((char) c);
            } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                // An unpaired surrogate must be escaped, because UTF-8 encoding would turn every unpaired surrogate
                // into the same question mark.
                escaped.append("%u").append(HexFormat.of().toHexDigits((char) c));
            } else {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    escaped.append('%').append(HexFormat.of().toHexDigits(b));
                }
            }
            i += Character.charCount(c);
        }
        return escaped.toString();
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._*/".indexOf(c) >= 0;
    }
}
