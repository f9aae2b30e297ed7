package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call as the limiter sees it. Limits can match the call's properties, and some properties can identify the caller.
 * This interface does not depend on servlets, so any server, message consumer or test can implement it:
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
 * and must not throw exceptions. A call is used by only one thread at a time.
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
     * An alternative path; nearly always {@code null}. Oddly spelt paths can have one, because servers and frameworks
     * disagree about where the context path ends. An endpoint applies if it matches either path.
     */
    default @Nullable String otherPath() {
        return null;
    }

    /** The common names of welcome files. */
    List<String> WELCOME_FILES = List.of("index.html", "index.htm", "index.jsp");

    /**
     * The names of the files that the server might serve for a path that ends with a slash. The default is {@link
     * #WELCOME_FILES}. An endpoint whose pattern matches such a file also applies to the path.
     */
    default List<String> welcomeFiles() {
        return WELCOME_FILES;
    }

    /** The peer address of the connection, in any textual form; empty if there is no address. */
    String ip();

    /** The first value of a header; {@code null} if the call does not have the header. Names are not case-sensitive. */
    default @Nullable String header(String name) {
        return null;
    }

    /**
     * All lines of a header, in the order sent; empty if the call does not have the header. Override this method if a
     * header can have several lines, and return all of them. This matters for {@code X-Forwarded-For}, for example.
     * Each proxy appends an entry. Only the last entries can be trusted, because callers can write the first ones.
     */
    default List<String> headers(String name) {
        String only = header(name);
        return only == null ? List.of() : List.of(only);
    }

    /** The value of a query parameter; {@code null} if the call does not have the parameter. */
    default @Nullable String query(String name) {
        return null;
    }

    /**
     * The number of readings of the query. A reading is one of the ways in which servers interpret it. The number is 1
     * unless the query is oddly encoded.
     */
    default int queryReadings() {
        return 1;
    }

    /**
     * The value of a query parameter in one of the {@linkplain #queryReadings readings} of the query. {@link
     * #query(String)} uses reading 0.
     */
    default @Nullable String query(String name, int reading) {
        return query(name);
    }

    /** The value of a cookie; {@code null} if the call does not have the cookie. */
    default @Nullable String cookie(String name) {
        return null;
    }

    /** An attribute that the application has set on the request; {@code null} if the attribute is not set. */
    default @Nullable String attribute(String name) {
        return null;
    }

    /**
     * The value that replaces the result of a source that does not read the call, such as a {@link SubjectResolver};
     * {@code null} to use the source itself.
     */
    default @Nullable String given(String source) {
        return null;
    }

    /** The name of the authenticated user; {@code null} if the call is not authenticated. */
    default @Nullable String principal() {
        return null;
    }

    /**
     * The login name as the caller typed it; {@code null} if the call is not a login attempt, or if the name is not
     * known yet. Limits with {@code per: [ login ]} count the call immediately if the name is known. Otherwise, they
     * count it when {@link LoginTicket#beginLogin} supplies the name.
     */
    default @Nullable String login() {
        return null;
    }

    /** A claim of the caller's verified token; {@code null} if there is no such claim. */
    default @Nullable String claim(String name) {
        return null;
    }

    /** An argument of the called method; {@code null} for a request. */
    default @Nullable String argument(String name) {
        return null;
    }

    /**
     * The id of the caller's existing session; {@code null} if there is no session. Implementations must not create a
     * session.
     */
    default @Nullable String session() {
        return null;
    }

    /**
     * Whether the call blocks a thread of a bounded pool while it is queued. {@link
     * dev.sluice.limits.Limits.PendingCalls} limits the number of such calls, and further calls are refused.
     */
    default boolean holdsThread() {
        return false;
    }

    /**
     * The counterpart of {@link #holdsThread()} for servers that can park only a limited number of calls without a
     * thread. Such a server can reserve some of its capacity for callers that are identified by address or verified
     * identity.
     *
     * @param isMadeUp whether the call is queued at a limit that identifies callers by a spoofable value, such as a
     *     header
     */
    default boolean holdsThread(boolean isMadeUp) {
        return holdsThread();
    }
}
