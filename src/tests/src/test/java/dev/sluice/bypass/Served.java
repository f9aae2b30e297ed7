package dev.sluice.bypass;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The application's own reading of a call, which it reports in headers: {@code login}, {@code org=acme},
 * {@code user=bob} and the like. Only values that an application may know are reported, because a caller that invents a
 * value may be counted under that value.
 */
final class Served {

    static final String HEADER = "served";

    private static final Pattern KNOWABLE = Pattern.compile("[A-Za-z0-9]{1,40}");

    private Served() {}

    /** The application has served the call as {@code /login}, {@code /api/**} and so on. */
    static void as(String what, HttpServletResponse response) {
        response.addHeader(HEADER, what);
    }

    static void asOrg(@Nullable String org, HttpServletResponse response) {
        add("org", () -> org, response);
    }

    /** The application has served this file of the directory {@code bypass}. */
    static void asFile(URI file, HttpServletResponse response) {
        String path = file.normalize().getPath().replaceFirst("/$", "");
        response.addHeader(HEADER, "file=" + path.substring(path.lastIndexOf("/bypass/") + "/bypass".length()));
    }

    /** All that does not depend on where the call goes. */
    static void asOf(HttpServletRequest request, HttpServletResponse response) {
        add("method", request::getMethod, response);
        add("user", () -> request.getParameter("user"), response);
        add("plan", () -> request.getParameter("plan"), response);
        add("tenant", () -> request.getHeader("X-Org-Id"), response);
        add("visitor", () -> cookie(request, "visitor"), response);
    }

    private static @Nullable String cookie(HttpServletRequest request, String name) {
        Cookie[] cookies = request.getCookies();
        for (int i = 0; cookies != null && i < cookies.length; i++) {
            if (cookies[i].getName().equals(name)) {
                return cookies[i].getValue();
            }
        }
        return null;
    }

    private static void add(String name, Supplier<@Nullable String> value, HttpServletResponse response) {
        try {
            String found = value.get();
            if (found != null && KNOWABLE.matcher(found).matches()) {
                response.addHeader(HEADER, name + "=" + found);
            }
        } catch (RuntimeException e) {
            // the container has no answer for this application, so it understands nothing
        }
    }
}
