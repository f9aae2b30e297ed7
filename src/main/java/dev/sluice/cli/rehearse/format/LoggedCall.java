package dev.sluice.cli.rehearse.format;

import dev.sluice.Call;
import dev.sluice.servlet.call.QueryString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call as one line of a log tells it. */
public final class LoggedCall implements Call {

    /** Stands for a line that tells of no request: a connection that was only opened, or that spoke no HTTP. */
    public static final LoggedCall NO_REQUEST =
            new LoggedCall(0, 0, 0, 0, "", "", null, "", null, new String[0], Extras.NONE);

    private final long loggedMillis;
    private final long startMillis;
    private final long durationMillis;
    private final int status;
    private final String method;
    private final String path;
    private final @Nullable String query;
    private final String ip;
    private final @Nullable String user;
    private final @Nullable String[] values;
    private final Extras extras;

    /**
     * Makes one.
     *
     * @param loggedMillis the time at which the line was written, as far as it tells
     * @param startMillis when the call began, as far as the line tells
     * @param durationMillis how long it took; 0 if the line does not say
     * @param status of its answer, 0 if the line has none
     * @param query without the question mark
     * @param user who was authenticated
     * @param values what else the line says, as {@code extras} names it
     */
    LoggedCall(
            long loggedMillis,
            long startMillis,
            long durationMillis,
            int status,
            String method,
            String path,
            @Nullable String query,
            String ip,
            @Nullable String user,
            @Nullable String[] values,
            Extras extras) {
        this.loggedMillis = loggedMillis;
        this.startMillis = startMillis;
        this.durationMillis = durationMillis;
        this.status = status;
        this.method = method;
        this.path = path;
        this.query = query;
        this.ip = ip;
        this.user = user;
        this.values = values;
        this.extras = extras;
    }

    /** The same with another path. */
    public LoggedCall withPath(String other) {
        return new LoggedCall(
                loggedMillis, startMillis, durationMillis, status, method, other, query, ip, user, values, extras);
    }

    /** When the line was written, as far as it tells. */
    public long loggedMillis() {
        return loggedMillis;
    }

    /** When the call began, in milliseconds since 1970. */
    public long startMillis() {
        return startMillis;
    }

    /** How long it took; 0 if the line does not say. */
    public long durationMillis() {
        return durationMillis;
    }

    public int status() {
        return status;
    }

    private @Nullable String field(String name) {
        return value(extras.field(name));
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String ip() {
        return ip;
    }

    @Override
    public @Nullable String header(String name) {
        return value(extras.header(name));
    }

    @Override
    public List<String> headers(String name) {
        String only = header(name);
        return only == null ? List.of() : List.of(only);
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
        String alone = value(extras.named("query", name));
        return alone != null || query == null ? alone : QueryString.first(query, name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        String alone = value(extras.named("cookie", name));
        return alone != null ? alone : Cookies.value(header("Cookie"), name);
    }

    @Override
    public @Nullable String attribute(String name) {
        String alone = field(name);
        return alone != null ? alone : value(extras.named("attribute", name));
    }

    @Override
    public @Nullable String principal() {
        return user;
    }

    @Override
    public @Nullable String claim(String name) {
        return value(extras.named("claim", name));
    }

    @Override
    public @Nullable String session() {
        return field("session");
    }

    private @Nullable String value(int index) {
        return index < 0 || index >= values.length ? null : values[index];
    }
}
