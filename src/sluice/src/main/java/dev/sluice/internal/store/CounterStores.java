package dev.sluice.internal.store;

import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.mongo.MongoCounterStore;
import dev.sluice.internal.store.mongo.connection.MongoAddress;
import dev.sluice.internal.store.mongo.connection.MongoAddressParser;
import dev.sluice.internal.store.redis.RedisCounterStore;
import dev.sluice.internal.store.redis.connection.LettuceOnClassPath;
import dev.sluice.internal.store.redis.connection.RedisAddress;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Opens stores by their URIs. */
public final class CounterStores {

    /** The URI of the store that counts only within this process. */
    public static final String MEMORY = "memory:";

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z+.-]{1,20}:)//");

    private static final String KINDS = " (supported: memory:, redis://, rediss:// for TLS, "
            + "redis-sentinel://host1,host2#master, redis-cluster://host1,host2, "
            + "mongodb://host1,host2/database and mongodb+srv://host/database)";

    private CounterStores() {}

    /** Opens a store. An in-memory store uses the system clock. */
    public static CounterStore open(String uri) {
        return open(uri, InstantSource.system());
    }

    /**
     * Opens a store. The URI begins with {@code memory:}, {@code redis://}, {@code redis-sentinel://} or
     * {@code redis-cluster://} (with {@code rediss} for TLS), {@code mongodb://} or {@code mongodb+srv://}. Returns
     * immediately; the store connects in the background, and reconnects after losing a connection.
     *
     * @throws IllegalArgumentException if the URI is invalid; the message explains why, without the password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names the
     *     library
     */
    public static CounterStore open(String uri, InstantSource clock) {
        if (uri.equals(MEMORY)) {
            return new InMemoryCounterStore(clock, InMemoryCounterStore.DEFAULT_MAXIMUM);
        }
        MongoAddress mongo = MongoAddressParser.parse(uri);
        return mongo == null ? open(redis(uri)) : open(mongo);
    }

    private static CounterStore open(RedisAddress address) {
        try {
            return RedisCounterStore.open(address, TimeToLive.USUAL);
        } catch (LinkageError e) {
            throw LettuceOnClassPath.explain(address, e);
        }
    }

    private static CounterStore open(MongoAddress address) {
        try {
            return MongoCounterStore.open(address);
        } catch (NoClassDefFoundError e) {
            throw withoutDriver(address, e);
        }
    }

    /**
     * Explains why a URI is invalid, without quoting its password; {@code null} if the URI is valid. Does not open a
     * connection.
     */
    public static @Nullable String problemWith(String uri) {
        try {
            String unused = shown(uri);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Returns a URI without its password, for display. The URI must be valid. */
    public static String shown(String uri) {
        if (uri.equals(MEMORY)) {
            return MEMORY;
        }
        MongoAddress mongo = MongoAddressParser.parse(uri);
        return mongo == null ? redis(uri).toString() : mongo.toString();
    }

    static RedisAddress redis(String uri) {
        RedisAddress address = RedisAddressParser.parse(uri);
        if (address == null) {
            throw new IllegalArgumentException(unknown(uri));
        }
        return address;
    }

    static IllegalStateException withoutDriver(MongoAddress address, NoClassDefFoundError missing) {
        return new IllegalStateException(
                "store uri " + address + " needs the MongoDB driver, which is not on the class path: add the "
                        + "dependency org.mongodb:mongodb-driver-sync (5.x)",
                missing);
    }

    /**
     * Explains why a URI is not recognised. Quotes only the scheme, because text near any other colon might be a
     * password.
     */
    private static String unknown(String uri) {
        if (uri.equals("memory")) {
            return "store uri \"memory\" lacks its colon; write memory:" + KINDS;
        }
        if (uri.startsWith(MEMORY)) {
            return "store uri has text after memory:; write memory:" + KINDS;
        }
        Matcher scheme = SCHEME.matcher(uri);
        String found = scheme.lookingAt()
                ? "begins with \"" + scheme.group(1) + "\", which is not a known scheme"
                : "does not begin with a scheme";
        return "store uri " + found + "; write, for example, redis://localhost:6379" + KINDS;
    }
}
