package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call, as the limiter sees it. Limits can match its properties, and some of them can identify the caller. It does
 * not depend on servlets, so any server, message consumer or test can implement it:
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
 * <p>Implement what your limits use. The default methods find nothing, so their sources yield no value. Methods must
 * return at once and must not throw. Each call's methods are called by one thread at a time.
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
     * A second possible path, for odd paths in which servers and frameworks disagree about where the context path ends;
     * nearly always {@code null}. Endpoints that match either path apply.
     */
    default @Nullable String otherPath() {
        return null;
    }

    /** The usual names of welcome files. */
    List<String> WELCOME_FILES = List.of("index.html", "index.htm", "index.jsp");

    /**
     * The names of the files that the server may serve for a path that ends with a slash, by default the usual ones.
     * Endpoints whose pattern names such a file apply to the path too.
     */
    default List<String> welcomeFiles() {
        return WELCOME_FILES;
    }

    /** The address of the peer of the connection, in any textual form; empty if there is none. */
    String ip();

    /** The first value of a header; {@code null} if the call has none. Names are not case-sensitive. */
    default @Nullable String header(String name) {
        return null;
    }

    /**
     * All lines of a header, in the order sent; empty if there are none. Override this if a header can have several
     * lines, and return all of them: each proxy appends its entry to {@code X-Forwarded-For}, so only the last entries
     * can be trusted, and callers can write the first ones.
     */
    default List<String> headers(String name) {
        String only = header(name);
        return only == null ? List.of() : List.of(only);
    }

    /** A parameter of the query; {@code null} if the call has none with this name. */
    default @Nullable String query(String name) {
        return null;
    }

    /** How many ways there are to read this query; 1 unless it is encoded oddly, so that servers disagree about it. */
    default int queryReadings() {
        return 1;
    }

    /** A parameter in one of these readings; {@link #query(String)} is reading 0. */
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
     * A value that code gives for a source which does not read the call, such as a {@link SubjectResolver};
     * {@code null} to ask the source.
     */
    default @Nullable String given(String source) {
        return null;
    }

    /** The name of the authenticated user; {@code null} if the call is not authenticated. */
    default @Nullable String principal() {
        return null;
    }

    /**
     * The name that the call tries to log in with, as the caller typed it; {@code null} if it does not try, or if the
     * name is not known yet. Limits {@code per: [ login ]} count a call that has the name at once. They count other
     * calls when {@link LoginTicket#beginLogin} tells them the name.
     */
    default @Nullable String login() {
        return null;
    }

    /** A claim of the caller's verified token; {@code null} if there is none. */
    default @Nullable String claim(String name) {
        return null;
    }

    /** An argument of the method that is called; {@code null} for a request. */
    default @Nullable String argument(String name) {
        return null;
    }

    /** The id of the caller's existing session; {@code null} if there is none. Must not create a session. */
    default @Nullable String session() {
        return null;
    }

    /**
     * Whether the call blocks a thread of a bounded pool while it is queued.
     * {@link dev.sluice.limits.Limits.PendingCalls} bounds how many such calls there may be; further ones are refused.
     */
    default boolean holdsThread() {
        return false;
    }

    /**
     * Like {@link #holdsThread()}, but for servers that can park only few calls without a thread, and some of those
     * only if the caller is known by address or verified identity.
     *
     * @param isMadeUp whether the call is queued at a limit whose callers are known by values that anybody can make up,
     *     such as a header
     */
    default boolean holdsThread(boolean isMadeUp) {
        return holdsThread();
    }
}
