package dev.sluice.internal.page;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A response of the page. Immutable and thread-safe, provided that nobody modifies the array returned by {@link #body}.
 */
public final class PageAnswer {

    /**
     * The content security policy. It forbids content from other servers, inline content and framing. It also prevents
     * scripts from turning strings into markup.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> PROTECTION = Map.of(
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cache-Control", "no-store");

    static final String JSON = "application/json";

    public static final PageAnswer FORBIDDEN = text(403, "You are not allowed to read this page.\n");

    /** The response to an event reader if the maximum number of readers has been reached. */
    public static final PageAnswer TOO_MANY =
            text(503, "Too many event readers; read data.json instead.\n").with("Retry-After", "5");

    /** The response to a reader whose request cannot become a stream. */
    public static final PageAnswer NO_STREAM = text(
            501,
            "Events require GET, and async-supported on the servlet and all filters in front of it; "
                    + "read data.json instead.\n");

    static final PageAnswer EVENTS = new PageAnswer(200, true, Map.of(), new byte[0])
            .with("Content-Type", "text/event-stream; charset=utf-8")
            .with("X-Accel-Buffering", "no");

    private final int status;
    private final boolean isStream;
    private final Map<String, String> headers;
    private final byte[] body;

    /** Adds the security headers that the given headers do not already contain. */
    private PageAnswer(int status, boolean isStream, Map<String, String> given, byte[] body) {
        Map<String, String> all = new LinkedHashMap<>(PROTECTION);
        all.putAll(given);
        this.status = status;
        this.isStream = isStream;
        this.headers = Map.copyOf(all);
        this.body = body;
    }

    public int status() {
        return status;
    }

    /** Whether the response consists of a stream of events instead of a body. */
    public boolean isStream() {
        return isStream;
    }

    /** Returns all headers except the content length. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the body; empty if there is none. */
    public byte[] body() {
        return body;
    }

    /** Returns a response that consists of a plain text message. */
    public static PageAnswer text(int status, String text) {
        return new PageAnswer(status, false, Map.of(), text.getBytes(StandardCharsets.UTF_8))
                .with("Content-Type", "text/plain; charset=utf-8");
    }

    static PageAnswer ok(String type, byte[] content) {
        return new PageAnswer(200, false, Map.of("Content-Type", type), content);
    }

    static PageAnswer empty(int status) {
        return new PageAnswer(status, false, Map.of(), new byte[0]);
    }

    PageAnswer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new PageAnswer(status, isStream, more, body);
    }
}
