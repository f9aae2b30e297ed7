package dev.sluice.internal.store.mongo.connection;

import dev.sluice.internal.text.StoreUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code mongodb[+srv]://[user:password@]host[:port][,host[:port]…][/database][?options]}. The options are those
 * that the driver supports. This class only checks the options on which the guarantees for counters depend. Error
 * messages do not quote the faulty text, because it might be part of a password. This class does not need the driver.
 * Not thread-safe: each parser parses one URI.
 */
public final class MongoAddressParser {

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");
    /**
     * Matches the names that MongoDB allows, except names with {@code @}. The text before an {@code @} might be a
     * password.
     */
    private static final Pattern DATABASE = Pattern.compile("[^/\\\\. \"$\\x00@]{1,63}");

    private static final Pattern MILLIS = Pattern.compile("[1-9]\\d{0,8}");
    private static final Pattern WORD = Pattern.compile("[\\w.:-]{1,40}");
    /** The options, in lower case, that allow reads from members other than the primary. */
    private static final List<String> STALE_READS = List.of("maxstalenessseconds", "readpreferencetags", "slaveok");

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    private final boolean isSrv;
    private final StoreUri uri;

    private MongoAddressParser(boolean isSrv) {
        this.isSrv = isSrv;
        this.uri = isSrv
                ? new StoreUri(MongoAddress.SRV_SCHEME, "user:password@cluster.example.com/sluice")
                : new StoreUri(MongoAddress.SCHEME, "user:password@db1:27017,db2/sluice?replicaSet=rs0");
    }

    /** The parsed address; {@code null} if the scheme is not a MongoDB scheme. */
    public static @Nullable MongoAddress parse(String uri) {
        int colon = uri.indexOf(':');
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        boolean isSrv = scheme.equals(MongoAddress.SRV_SCHEME);
        return isSrv || scheme.equals(MongoAddress.SCHEME)
                ? new MongoAddressParser(isSrv).read(uri.substring(colon + 1))
                : null;
    }

    private MongoAddress read(String remaining) {
        if (!remaining.startsWith("//")) {
            throw uri.bad("\"//\" is missing after the scheme");
        }
        int authorityEnd = StoreUri.firstOf(remaining, 2, "/?");
        if (remaining.indexOf('@', authorityEnd) >= 0) {
            throw uri.bad("there is a \"@\" after the host; if a password contains one of / ? @, write %2F %3F %40");
        }
        if (remaining.indexOf('#') >= 0) {
            throw uri.bad("there is a \"#\"; if a password contains one, write %23");
        }
        String authority = remaining.substring(2, authorityEnd);
        int at = authority.lastIndexOf('@');
        if (at >= 0) {
            checkEntry(authority.substring(0, at));
        }
        List<String> hosts = hosts(authority.substring(at + 1));
        int queryStart = StoreUri.firstOf(remaining, authorityEnd, "?");
        String database = uri.decode(remaining.substring(Math.min(authorityEnd + 1, queryStart), queryStart));
        if (!database.isEmpty() && !DATABASE.matcher(database).matches()) {
            throw uri.bad("the text after the \"/\" is not a database name");
        }
        Map<String, String> options = options(remaining.substring(Math.min(queryStart + 1, remaining.length())));
        String timeout = options.remove("timeoutms");
        check(options);
        return new MongoAddress(
                isSrv,
                hosts,
                database.isEmpty() ? MongoAddress.DEFAULT_DATABASE : database,
                timeout == null ? DEFAULT_TIMEOUT : millis(timeout),
                options.getOrDefault("w", MongoAddress.MAJORITY),
                driverUri(authority, database, remaining.substring(Math.min(queryStart + 1, remaining.length()))));
    }

    /**
     * The URI for the driver, without {@code timeoutMS}. Sluice applies this limit to a whole exchange, whereas the
     * driver would apply it to each operation separately.
     */
    private String driverUri(String authority, String database, String query) {
        StringBuilder kept = new StringBuilder();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            if (!pair.toLowerCase(Locale.ROOT).startsWith("timeoutms=")) {
                kept.append(kept.isEmpty() ? "?" : "&").append(pair);
            }
        }
        // If the URI contains no database, do not add our default, because the driver would then look up the user in
        // that database.
        return uri.scheme() + "://" + authority + "/" + database + kept;
    }

    private void checkEntry(String entry) {
        if (entry.isEmpty() || entry.startsWith(":")) {
            throw uri.bad("the user is missing before the password");
        }
        if (entry.indexOf(':') != entry.lastIndexOf(':')) {
            throw uri.bad("there is a second \":\" before the host; if a password contains one, write %3A");
        }
        uri.decode(entry);
    }

    private List<String> hosts(String text) {
        List<String> hosts = new ArrayList<>();
        for (String host : text.split(",", -1)) {
            int colon = host.startsWith("[") ? host.indexOf(']') + 1 : StoreUri.firstOf(host, 0, ":");
            if (!HOST.matcher(host.substring(0, colon)).matches()) {
                throw uri.bad(host.isEmpty() ? "the host is missing" : "a host name is not valid");
            }
            checkPort(host.substring(colon));
            hosts.add(host);
        }
        if (isSrv && hosts.size() > 1) {
            throw uri.bad(
                    hosts.size() + " hosts are given, but only one is allowed; its servers are looked up in " + "DNS");
        }
        return hosts;
    }

    private void checkPort(String text) {
        if (text.isEmpty()) {
            return;
        }
        if (isSrv) {
            throw uri.bad("there is a port, but ports are looked up in DNS; remove it");
        }
        if (!text.matches(":\\d{1,5}") || port(text) < 1 || port(text) > 65535) {
            throw uri.bad("the port is not a number from 1 to 65535");
        }
    }

    private static int port(String text) {
        return Integer.parseInt(text.substring(1));
    }

    /** The options by lower-case name, because the driver ignores case. */
    private Map<String, String> options(String query) {
        Map<String, String> options = new TreeMap<>();
        if (query.indexOf(';') >= 0) { // the driver also treats a semicolon as a separator
            throw uri.bad("there is a \";\" in the options; write & between options, and %3B within one");
        }
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw uri.bad("an option is not name=value");
            }
            options.put(pair.substring(0, equals).toLowerCase(Locale.ROOT), uri.decode(pair.substring(equals + 1)));
        }
        return options;
    }

    private void check(Map<String, String> options) {
        for (String stale : STALE_READS) {
            if (options.containsKey(stale)) {
                throw uri.bad(stale + " allows reads of stale counts, so limits could be exceeded; remove it");
            }
        }
        if (options.containsKey("safe")) {
            throw uri.bad("safe is an old name of w; remove it, or write w=majority");
        }
        String preference = options.getOrDefault("readpreference", "primary");
        if (!preference.equalsIgnoreCase("primary")) {
            throw uri.bad("readPreference allows reads of stale counts, so limits could be exceeded; remove it, "
                    + "or write primary");
        }
        String concern = options.getOrDefault("readconcernlevel", "local");
        if (!concern.equalsIgnoreCase("local") && !concern.equalsIgnoreCase("majority")) {
            throw uri.bad("readConcernLevel has a value that does not work for counters; remove it, or write local "
                    + "or majority");
        }
        String write = options.getOrDefault("w", MongoAddress.MAJORITY);
        if (write.equals("0") || !WORD.matcher(write).matches()) {
            throw uri.bad("w has a value that does not confirm writes; remove it, or write majority or 1");
        }
    }

    private Duration millis(String text) {
        if (!MILLIS.matcher(text).matches()) {
            throw uri.bad("timeoutMS is not a number of milliseconds; write timeoutMS=500");
        }
        return Duration.ofMillis(Long.parseLong(text));
    }
}
