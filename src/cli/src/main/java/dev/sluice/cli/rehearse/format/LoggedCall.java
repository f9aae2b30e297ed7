package dev.sluice.cli.rehearse.format;

import dev.sluice.Call;
import dev.sluice.internal.http.request.QueryString;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that a log describes.
 *
 * @param startMillis when it began, in milliseconds since 1970
 * @param durationMillis how long it took; 0 if unknown
 * @param status of its answer; 0 if the line has none
 * @param query as it was sent; {@code null} if there was none
 * @param others further values by their names: {@code header:x-org-id}, {@code cookie:sid}, or what {@code --field}
 *     names
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

    /** Stands for a line without a request: the connection was only opened, or did not speak HTTP. */
    public static final LoggedCall NO_REQUEST = new LoggedCall(0, 0, 0, "", "", null, "", null, Map.of());

    /** The name in {@link #others} of the cost that the application charged for a call. */
    public static final String CHARGE = "charge";

    private static final String HEADER = "header:";
    private static final long NO_CHARGE = -1;

    /**
     * The name of a header's value in {@link #others}. Logs of nginx have underscores for hyphens, so both have one
     * name.
     */
    public static String headerName(String header) {
        return HEADER + header.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The same call within the application; {@code null} if its path does not begin with this context path. */
    public @Nullable LoggedCall within(String context) {
        boolean isWithin =
                path.startsWith(context) && (path.length() == context.length() || path.charAt(context.length()) == '/');
        if (!isWithin) {
            return null;
        }
        String remaining = path.length() == context.length() ? "/" : path.substring(context.length());
        return new LoggedCall(startMillis, durationMillis, status, method, remaining, query, ip, principal, others);
    }

    /** When the line was written, which is when the call ended. */
    public long loggedMillis() {
        return startMillis + durationMillis;
    }

    /** The cost that the application charged for it; -1 if that is unknown. */
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
