package dev.sluice.internal.store.redis.connection;

import dev.sluice.internal.store.redis.connection.RedisAddress.Host;
import dev.sluice.internal.store.redis.connection.RedisAddress.Kind;
import dev.sluice.internal.store.redis.connection.RedisAddress.Options;
import dev.sluice.internal.store.redis.connection.RedisAddress.Verify;
import dev.sluice.internal.text.StoreUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code scheme://[user:password@]host[:port][,host[:port]…][/database][?options][#master]}. Error messages do
 * not quote the faulty text. If a password contains an unencoded {@code /}, {@code ?} or {@code #}, the rest of the
 * password looks like a different part of the URI. Not thread-safe: each parser parses one URI.
 */
public final class RedisAddressParser {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,5}");
    /** Matches host names. Most passwords do not match. */
    private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}._-]+");

    private static final Pattern IP_V6 = Pattern.compile("[0-9A-Fa-f:.]+(%[\\w.-]+)?");
    /** Matches the names that Sentinel allows. */
    private static final Pattern MASTER = Pattern.compile("[A-Za-z0-9._-]+");

    private static final String NO_DATABASE =
            "the text after the \"/\" is not a database number; " + "if a password contains a slash, write %2F";

    private static final String ENCODE = "; if a password contains one of ? & =, write %3F %26 %3D";

    private final Kind kind;
    private final boolean tls;
    private final StoreUri uri;

    private RedisAddressParser(Kind kind, boolean tls) {
        this.kind = kind;
        this.tls = tls;
        this.uri = new StoreUri(tls ? kind.tlsScheme : kind.scheme, kind.example);
    }

    /** The parsed address; {@code null} if the scheme is not a Redis scheme. */
    public static @Nullable RedisAddress parse(String uri) {
        int colon = uri.indexOf(':');
        String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
        for (Kind kind : Kind.values()) {
            if (scheme.equals(kind.scheme) || scheme.equals(kind.tlsScheme)) {
                return new RedisAddressParser(kind, scheme.equals(kind.tlsScheme)).read(uri.substring(colon + 1));
            }
        }
        return null;
    }

    private RedisAddress read(String remaining) {
        if (!remaining.startsWith("//")) {
            throw uri.bad("\"//\" is missing after the scheme");
        }
        int authorityEnd = StoreUri.firstOf(remaining, 2, "/?#");
        if (remaining.indexOf('@', authorityEnd) >= 0) {
            throw uri.bad(
                    "there is a \"@\" after the host; if a password contains one of / ? # @, write %2F %3F %23 %40");
        }
        String authority = remaining.substring(2, authorityEnd);
        int queryStart = StoreUri.firstOf(remaining, authorityEnd, "?#");
        int fragmentStart = StoreUri.firstOf(remaining, queryStart, "#");
        Map<String, String> query = query(remaining.substring(queryStart, fragmentStart));
        String path = remaining.substring(Math.min(authorityEnd + 1, queryStart), queryStart);

        int at = authority.lastIndexOf('@');
        String entry = at < 0 ? "" : authority.substring(0, at);
        int colon = entry.indexOf(':');
        String user = colon < 0 ? "" : uri.decode(entry.substring(0, colon));
        String password = uri.decode(colon < 0 ? entry : entry.substring(colon + 1));

        String fragment = remaining.substring(Math.min(fragmentStart + 1, remaining.length()));
        String master = query.containsKey("master") ? query.remove("master") : uri.decode(fragment);
        int database = query.containsKey("database")
                ? database(query.remove("database"), "database in the query is not a number")
                : database(path, NO_DATABASE);
        check(master);
        return new RedisAddress(
                kind,
                tls,
                blankToNull(user),
                blankToNull(password),
                hosts(authority.substring(at + 1)),
                database,
                blankToNull(master),
                options(query));
    }

    private void check(@Nullable String master) {
        if (kind == Kind.SENTINEL && blankToNull(master) == null) {
            throw uri.bad("the master name is missing at the end, after \"#\"");
        }
        if (kind != Kind.SENTINEL && blankToNull(master) != null) {
            throw uri.bad("a master name after \"#\" is only for sentinels");
        }
        if (master != null && !master.isBlank() && !MASTER.matcher(master).matches()) {
            throw uri.bad("the master name after \"#\" can contain only letters, digits and . _ -");
        }
    }

    private List<Host> hosts(String text) {
        List<Host> hosts = new ArrayList<>();
        for (String host : text.split(",", -1)) {
            hosts.add(host(host.strip()));
        }
        if (kind == Kind.SINGLE && hosts.size() > 1) {
            throw uri.bad(hosts.size() + " hosts are given, but only one is allowed; for a cluster write "
                    + (tls ? Kind.CLUSTER.tlsScheme : Kind.CLUSTER.scheme) + "://");
        }
        return hosts;
    }

    private Host host(String text) {
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        String name = bracket > 0 ? text.substring(1, bracket) : text.substring(0, StoreUri.firstOf(text, 0, ":"));
        String port = text.substring(bracket > 0 ? bracket + 1 : name.length());
        if (name.isEmpty()) {
            throw uri.bad("the host is missing");
        }
        if (!(bracket > 0 ? IP_V6 : HOST).matcher(name).matches()) {
            throw uri.bad("a host name is not valid");
        }
        if (port.isEmpty()) {
            return new Host(name, kind.defaultPort);
        }
        boolean isNumber =
                port.startsWith(":") && DIGITS.matcher(port.substring(1)).matches();
        int number = isNumber ? Integer.parseInt(port.substring(1)) : 0;
        if (number < 1 || number > 65535) {
            throw uri.bad("the port is not a number from 1 to 65535");
        }
        return new Host(name, number);
    }

    private int database(String text, String wrong) {
        if (text.isEmpty()) {
            return 0;
        }
        if (!DIGITS.matcher(text).matches()) {
            throw uri.bad(wrong);
        }
        int database = Integer.parseInt(text);
        if (kind == Kind.CLUSTER && database != 0) {
            throw uri.bad("a cluster supports only database 0; remove the database number");
        }
        return database;
    }

    private Map<String, String> query(String text) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : text.isEmpty() ? new String[0] : text.substring(1).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw uri.bad("an option is not name=value" + ENCODE);
            }
            query.put(pair.substring(0, equals), uri.decode(pair.substring(equals + 1)));
        }
        return query;
    }

    private Options options(Map<String, String> query) {
        String timeout = query.remove("timeout");
        String verify = query.remove("verify");
        Options options = new Options(
                timeout == null ? Options.DEFAULT.timeout() : duration(timeout),
                verify == null ? Options.DEFAULT.verify() : verify(verify),
                query.remove("ca"),
                query.remove("cert"),
                query.remove("key"),
                query.remove("sentinelUser"),
                query.remove("sentinelPassword"));
        if (!query.isEmpty()) {
            throw uri.bad("there is an unknown option; the options are timeout, database, master, verify, ca, cert, "
                    + "key, sentinelUser and sentinelPassword" + ENCODE);
        }
        if ((options.cert() == null) != (options.key() == null)) {
            throw uri.bad("only one of cert and key is given; a certificate needs both");
        }
        return options;
    }

    private Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw uri.bad("timeout is not a duration; write 500ms or 2s");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    private Verify verify(String text) {
        for (Verify verify : Verify.values()) {
            if (verify.name().equalsIgnoreCase(text)) {
                return verify;
            }
        }
        throw uri.bad("verify is not one of full, ca, none");
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }
}
