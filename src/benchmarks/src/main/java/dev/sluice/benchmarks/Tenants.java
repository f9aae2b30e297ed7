package dev.sluice.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * 10,000 tenants, and the order in which they make calls. The order is fixed in advance and is the same for every
 * contestant. Names are stored as bytes, as they arrive over the network. Each access to a tenant's name returns a new
 * string, whose hash has not been computed yet.
 */
final class Tenants {

    static final int COUNT = 10_000;

    private static final int CALLS = 1 << 16;
    private static final double ZIPF_EXPONENT = 0.99;

    private final byte[][] names;
    private final int[] calls;
    /** The names as strings with cached hashes; empty if each access returns a new string. */
    private final String[] hashed;

    private Tenants(byte[][] names, int[] calls, String... hashed) {
        this.names = names;
        this.calls = calls;
        this.hashed = hashed;
    }

    /**
     * Returns a copy of these tenants in which names are strings with cached hashes. Each access to a tenant's name
     * then returns the same string. No server works like that, but many benchmarks do.
     */
    Tenants hashed() {
        String[] strings = Stream.of(names)
                .map(name -> new String(name, StandardCharsets.ISO_8859_1))
                .toArray(String[]::new);
        for (String string : strings) {
            string.hashCode(); // the string caches its hash
        }
        return new Tenants(names, calls, strings);
    }

    /** Creates tenants with names like those of customers. */
    static Tenants named(Spread spread) {
        return new Tenants(names(i -> "tenant-%05d".formatted(i)), calls(spread));
    }

    /** Creates the given number of tenants. All of them make the same number of calls. */
    static Tenants alike(int count) {
        Random random = new Random(20260101);
        int[] calls = new int[Math.max(CALLS, 2 * Integer.highestOneBit(count))];
        for (int i = 0; i < calls.length; i++) { // each tenant calls once, in any order, before any tenant calls again
            int drawn = i - i % count + random.nextInt(i % count + 1);
            calls[i] = calls[drawn];
            calls[drawn] = i % count;
        }
        return new Tenants(names(count, i -> "tenant-%07d".formatted(i)), calls);
    }

    /** Creates the given number of tenants, with calls distributed as in {@link Spread#ZIPF}. */
    static Tenants zipf(int count) {
        return new Tenants(names(i -> "tenant-%05d".formatted(i)), zipf(new Random(20260101), count));
    }

    /** Creates tenants whose names look like IPv4 addresses. */
    static Tenants addresses(Spread spread) {
        return new Tenants(names(i -> "203.0.%d.%d".formatted(100 + i / 100, 100 + i % 100)), calls(spread));
    }

    private static byte[][] names(IntFunction<String> name) {
        return names(COUNT, name);
    }

    private static byte[][] names(int count, IntFunction<String> name) {
        return IntStream.range(0, count)
                .mapToObj(i -> name.apply(i).getBytes(StandardCharsets.ISO_8859_1))
                .toArray(byte[][]::new);
    }

    private static int[] calls(Spread spread) {
        Random random = new Random(20260101);
        return switch (spread) {
            case ONE -> new int[CALLS];
            case UNIFORM -> random.ints(CALLS, 0, COUNT).toArray();
            case ZIPF -> zipf(random, COUNT);
        };
    }

    private static int[] zipf(Random random, int count) {
        double[] upTo = new double[count];
        double sum = 0;
        for (int rank = 0; rank < count; rank++) {
            sum += 1 / Math.pow(rank + 1, ZIPF_EXPONENT);
            upTo[rank] = sum;
        }
        double total = sum;
        return random.doubles(CALLS)
                .mapToInt(share -> {
                    int found = Arrays.binarySearch(upTo, share * total);
                    int rank = Math.min(found < 0 ? -found - 1 : found, count - 1);
                    return (int) (rank * 7919L % COUNT); // neighbours in rank are not neighbours in memory
                })
                .toArray();
    }

    /** The tenant that makes the call with the given number. */
    int caller(int call) {
        return calls[call & (calls.length - 1)];
    }

    int count() {
        return names.length;
    }

    /**
     * The tenant's name. This is a new string whose hash has not been computed yet, unless the tenants are
     * {@link #hashed}.
     */
    String name(int tenant) {
        return hashed.length > 0 ? hashed[tenant] : new String(names[tenant], StandardCharsets.ISO_8859_1);
    }

    /** All names, each of them once. */
    Iterable<String> all() {
        return Arrays.stream(names)
                .map(name -> new String(name, StandardCharsets.ISO_8859_1))
                .toList();
    }
}
