package dev.sluice.internal.servlet.call;

import dev.sluice.Call;
import dev.sluice.internal.http.request.HeaderText;
import dev.sluice.internal.http.request.QueryString;
import dev.sluice.internal.http.request.TokenClaims;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A servlet request as a call. For some malformed requests, containers throw an exception when a cookie, a session or a
 * similar value is read. In this case, this class returns no value. If it propagated the exception, the call would pass
 * without any limit. Not thread-safe, because only one thread at a time can use a request.
 */
public final class ServletCall implements Call {

    private final HttpServletRequest request;
    private final BiPredicate<HttpServletRequest, Boolean> canPark;
    private @Nullable String path;
    private boolean staysOnThread;

    /**
     * Wraps a request.
     *
     * @param canPark tests whether the request can be parked without a thread; the second argument indicates whether
     *     its queue is keyed by a value that callers can choose arbitrarily
     */
    public ServletCall(HttpServletRequest request, BiPredicate<HttpServletRequest, Boolean> canPark) {
        this.request = request;
        this.canPark = canPark;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        String known = path;
        if (known == null) {
            known = PathInContext.of(request);
            path = known;
        }
        return known;
    }

    @Override
    public @Nullable String otherPath() {
        return PathInContext.otherThan(path(), request);
    }

    @Override
    public List<String> welcomeFiles() {
        return WelcomeFiles.of(request);
    }

    @Override
    public String ip() {
        String address = request.getRemoteAddr();
        return address == null ? "" : address;
    }

    @Override
    public @Nullable String header(String name) {
        try {
            String value = request.getHeader(name);
            return value == null ? null : HeaderText.of(value);
        } catch (RuntimeException e) {
            return null;
        }
    }

    @Override
    public List<String> headers(String name) {
        try {
            Enumeration<String> lines = request.getHeaders(name);
            if (lines == null || !lines.hasMoreElements()) {
                return List.of();
            }
            List<String> values = Collections.list(lines);
            values.replaceAll(HeaderText::of);
            return values;
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    @Override
    public @Nullable String query(String name) {
        return query(name, 0);
    }

    @Override
    public int queryReadings() {
        return QueryString.readings(request.getQueryString());
    }

    @Override
    public @Nullable String query(String name, int reading) {
        return QueryString.first(request.getQueryString(), name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        return orNull(() -> {
            Cookie[] cookies = request.getCookies();
            for (int i = 0; cookies != null && i < cookies.length; i++) {
                if (cookies[i].getName().equals(name)) {
                    return cookies[i].getValue();
                }
            }
            return null;
        });
    }

    @Override
    public @Nullable String attribute(String name) {
        return orNull(() -> {
            Object value = request.getAttribute(name);
            return value == null ? null : String.valueOf(value);
        });
    }

    @Override
    public @Nullable String principal() {
        return orNull(() -> {
            Principal principal = request.getUserPrincipal();
            return principal == null ? null : principal.getName();
        });
    }

    @Override
    public @Nullable String claim(String name) {
        return orNull(() -> TokenClaims.AVAILABLE.find(request.getUserPrincipal(), name));
    }

    @Override
    public @Nullable String session() {
        return orNull(() -> {
            HttpSession session = request.getSession(false);
            return session == null ? null : session.getId();
        });
    }

    @Override
    public boolean holdsThread() {
        return holdsThread(true);
    }

    @Override
    public boolean holdsThread(boolean isMadeUp) {
        try {
            staysOnThread = !canPark.test(request, isMadeUp);
        } catch (RuntimeException e) {
            staysOnThread = true;
        }
        return staysOnThread;
    }

    /** Whether the call has reported that it is queued on its thread. */
    public boolean staysOnThread() {
        return staysOnThread;
    }

    private static @Nullable String orNull(Supplier<@Nullable String> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return null;
        }
    }
}
