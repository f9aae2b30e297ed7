package dev.sluice.cli.rehearse.format;

import dev.sluice.Call;
import dev.sluice.internal.http.request.QueryString;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call recorded in a log.
 *
 * @param startMillis the start of the call, in milliseconds since 1970
 * @param durationMillis the duration of the call; 0 if unknown
 * @param status the response status; 0 if the line contains none
 * @param query the query as the client sent it; {@code null} if there was none
 * @param others further values by name: {@code header:x-org-id}, {@code cookie:sid}, or a name from {@code --field}
 */
public record LoggedCall(
        long startMillis,
        long durationMillis,
        int status,
        String method,
        String path,
        @Nullable String query,
        String ip,
        @Nullable String principal,
        Map<String, String> others)
        implements Call {

    /** The result for a line without a request. The client has only opened a connection, or did not speak HTTP. */
    public static final LoggedCall NO_REQUEST = new LoggedCall(0, 0, 0, "", "", null, "", null, Map.of());

    /** The key in {@link #others} of the cost that the application charged for a call. */
    public static final String CHARGE = "charge";

    private static final String HEADER = "header:";
    private static final long NO_CHARGE = -1;

    /**
     * Returns the key of a header in {@link #others}. nginx logs replace hyphens with underscores, so both spellings
     * have the same key.
     */
    public static String headerName(String header) {
        return HEADER + header.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the same call with a path relative to the application; {@code null} if the path does not begin with this
     * context path.
     */
    public @Nullable LoggedCall within(String context) {
        boolean isWithin =
                path.startsWith(context) && (path.length() == context.length() || path.charAt(context.length()) == '/');
        if (!isWithin) {
            return null;
        }
        String remaining = path.length() == context.length() ? "/" : path.substring(context.length());
        return new LoggedCall(startMillis, durationMillis, status, method, remaining, query, ip, principal, others);
    }

    /** Returns the time when the line was written. This is also the time when the call ended. */
    public long loggedMillis() {
        return startMillis + durationMillis;
    }

    /** Returns the cost that the application charged for the call; -1 if unknown. */
    public long charge() {
        String told = others.get(CHARGE);
        try {
            return told == null ? NO_CHARGE : Math.max(0, Long.parseLong(told));
        } catch (NumberFormatException e) {
            return NO_CHARGE;
        }
    }

    @Override
    public @Nullable String header(String name) {
        return others.get(headerName(name));
    }

    @Override
    public int queryReadings() {
        return query == null ? 1 : QueryString.readings(query);
    }

    @Override
    public @Nullable String query(String name) {
        return query(name, 0);
    }

    @Override
    public @Nullable String query(String name, int reading) {
        String alone = others.get("query:" + name);
        return alone != null || query == null ? alone : QueryString.first(query, name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        String alone = others.get("cookie:" + name);
        String header = alone == null ? header("Cookie") : null;
        if (header == null) {
            return alone;
        }
        for (String pair : header.split(";", -1)) {
            String stripped = pair.strip();
            if (stripped.indexOf('=') == name.length() && stripped.startsWith(name)) {
                String value = stripped.substring(name.length() + 1);
                boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                return isQuoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return null;
    }

    @Override
    public @Nullable String attribute(String name) {
        String alone = others.get(name);
        return alone != null ? alone : others.get("attribute:" + name);
    }

    @Override
    public @Nullable String claim(String name) {
        return others.get("claim:" + name);
    }

    @Override
    public @Nullable String session() {
        return others.get("session");
    }
}
