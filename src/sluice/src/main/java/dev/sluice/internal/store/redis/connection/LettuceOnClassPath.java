package dev.sluice.internal.store.redis.connection;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the application's version of Lettuce. Does not use any Lettuce classes, because Lettuce could be missing or
 * too old.
 */
public final class LettuceOnClassPath {

    private static final String CLIENT = "io.lettuce.core.RedisClient";
    private static final String DEPENDENCY = "io.lettuce:lettuce-core (7.x, or 6.5 and later)";
    private static final String TITLE = "Lettuce";
    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 5;

    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})[^/]*");

    private LettuceOnClassPath() {}

    /**
     * Checks that the class path contains a supported version of Lettuce.
     *
     * @throws IllegalStateException if Lettuce is missing or too old
     */
    static void require(RedisAddress address) {
        Class<?> client = find(CLIENT);
        if (client == null) {
            throw missing(address, null);
        }
        String version = version(client);
        if (version != null && isTooOld(version)) {
            throw tooOld(address, version, null);
        }
    }

    /**
     * Explains a linkage error to operators. Such an error means that Lettuce or one of its dependencies is missing or
     * too old.
     */
    public static IllegalStateException explain(RedisAddress address, LinkageError failure) {
        Class<?> client = find(CLIENT);
        if (client == null) {
            return missing(address, failure);
        }
        String version = version(client);
        if (version != null && isTooOld(version)) {
            return tooOld(address, version, failure);
        }
        return new IllegalStateException(
                "store uri " + address + " cannot use Lettuce " + (version == null ? "" : version + ' ')
                        + "from the class path (" + failure + "): add the dependency " + DEPENDENCY
                        + " with all its dependencies, in the versions that it requires",
                failure);
    }

    private static IllegalStateException missing(RedisAddress address, @Nullable LinkageError failure) {
        return new IllegalStateException(
                "store uri " + address + " needs the Redis client Lettuce, which is not on the class path: add the "
                        + "dependency " + DEPENDENCY,
                failure);
    }

    private static IllegalStateException tooOld(RedisAddress address, String version, @Nullable LinkageError failure) {
        return new IllegalStateException(
                "store uri " + address + " needs Lettuce 6.5 or later, but " + version
                        + " is on the class path: use a newer version of the dependency " + DEPENDENCY,
                failure);
    }

    /** Whether a class is on the class path. Used for classes that not all supported versions of Lettuce contain. */
    static boolean has(String className) {
        return find(className) != null;
    }

    static boolean isTooOld(String version) {
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.matches()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    }

    private static @Nullable String version(Class<?> client) {
        Package classes = client.getPackage();
        return version(classes.getImplementationTitle(), classes.getImplementationVersion());
    }

    /**
     * The version in a manifest, without the commit; {@code null} if the manifest contains no version or does not
     * belong to Lettuce. In a jar that contains an application with all its libraries, the manifest describes the
     * application instead.
     */
    static @Nullable String version(@Nullable String title, @Nullable String version) {
        return version == null || !TITLE.equals(title) ? null : version.replaceFirst("/.*", "");
    }

    private static @Nullable Class<?> find(String className) {
        try {
            return Class.forName(className, false, LettuceOnClassPath.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
