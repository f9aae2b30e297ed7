package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call, as the limiter sees it. Limits can match its properties, and some properties can identify the caller. The
 * interface does not depend on servlets, so any server, message consumer or test can implement it:
 *
 * <pre>{@code
 * record Job(String customer) implements Call {
 *     public String method() { return "RUN"; }
 *     public String path() { return "/jobs"; }
 *     public String ip() { return ""; }
 *     public String header(String name) { return name.equalsIgnoreCase("X-Org-Id") ? customer : null; }
 * }
 * }</pre>
 *
 * <p>Override the methods that your limits need. The default methods return no value. Methods must return immediately
 * and must not throw. Only one thread at a time uses a call.
 */
public interface Call {

    /** The HTTP method as the caller sent it, such as {@code GET}; empty if there is no request. */
    String method();

    /**
     * The path as the caller sent it: percent-encoded, without the query and without the application's context path.
     * Empty if there is no request.
     */
    String path();

    /**
     * A second possible path; nearly always {@code null}. It exists for odd paths, if servers and frameworks disagree
     * about the end of the context path. Endpoints that match either path apply.
     */
    default @Nullable String otherPath() {
        return null;
    }

    /** The common names of welcome files. */
    List<String> WELCOME_FILES = List.of("index.html", "index.htm", "index.jsp");

    /**
     * The names of the files that the server may serve for a path that ends with a slash. By default, these are the
     * common names. An endpoint whose pattern names such a file also applies to the path.
     */
    default List<String> welcomeFiles() {
        return WELCOME_FILES;
    }

    /** The address of the connection's peer, in any textual form; empty if there is none. */
    String ip();

    /** The first value of a header; {@code null} if the call has none. Names are not case-sensitive. */
    default @Nullable String header(String name) {
        return null;
    }

    /**
     * All lines of a header, in the order sent; empty if there are none. Override this method if a header can have
     * several lines, and return all of them. For example, each proxy appends its entry to {@code X-Forwarded-For}. Only
     * the last entries can be trusted, because callers can write the first ones.
     */
    default List<String> headers(String name) {
        String only = header(name);
        return only == null ? List.of() : List.of(only);
    }

    /** A query parameter; {@code null} if the call has none with this name. */
    default @Nullable String query(String name) {
        return null;
    }

    /**
     * The number of ways to read this query. It is 1 unless the query is encoded so oddly that servers interpret it
     * differently.
     */
    default int queryReadings() {
        return 1;
    }

    /** A query parameter in one of these readings. Reading 0 is {@link #query(String)}. */
    default @Nullable String query(String name, int reading) {
        return query(name);
    }

    /** The value of a cookie; {@code null} if the call has none with this name. */
    default @Nullable String cookie(String name) {
        return null;
    }

    /** An attribute that the application has set on the request; {@code null} if it has none with this name. */
    default @Nullable String attribute(String name) {
        return null;
    }

    /**
     * A value that replaces the result of a source which does not read the call, such as a {@link SubjectResolver};
     * {@code null} to use the source.
     */
    default @Nullable String given(String source) {
        return null;
    }

    /** The name of the authenticated user; {@code null} if the call is not authenticated. */
    default @Nullable String principal() {
        return null;
    }

    /**
     * The name with which the call tries to log in, as the caller typed it; {@code null} if the call is no login
     * attempt, or if the name is not known yet. Limits with {@code per: [ login ]} count a call with a name
     * immediately. They count other calls when {@link LoginTicket#beginLogin} supplies the name.
     */
    default @Nullable String login() {
        return null;
    }

    /** A claim of the caller's verified token; {@code null} if there is none. */
    default @Nullable String claim(String name) {
        return null;
    }

    /** An argument of the called method; {@code null} for a request. */
    default @Nullable String argument(String name) {
        return null;
    }

    /** The id of the caller's existing session; {@code null} if there is none. Must not create a session. */
    default @Nullable String session() {
        return null;
    }

    /**
     * Whether the call blocks a thread of a bounded pool while it is queued. {@link
     * dev.sluice.limits.Limits.PendingCalls} limits the number of such calls. Further calls are refused.
     */
    default boolean holdsThread() {
        return false;
    }

    /**
     * Like {@link #holdsThread()}, but for servers that can park only a limited number of calls without a thread. Some
     * of these places may be reserved for callers that are identified by address or verified identity.
     *
     * @param isMadeUp whether the call is queued at a limit that identifies callers by a value that anybody can make
     *     up, such as a header
     */
    default boolean holdsThread(boolean isMadeUp) {
        return holdsThread();
    }
}
