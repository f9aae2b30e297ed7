package dev.sluice.internal.http.request;

import dev.sluice.internal.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells which requests for the operators' page need no limit. A request without {@code Authorization} needs none,
 * because it guesses no password. A request with it may be a guess, so it counts like any other call until the page has
 * accepted the same credentials once. After that it does not count, because an open page sends its credentials again
 * and again. Only a read request proves that credentials are right, because a preflight is answered regardless of the
 * password. A request that was authenticated in another way, such as by a session, proves nothing, because its
 * credentials may never have been checked. This class keeps only hashes, and few of them. Thread-safe.
 */
public final class PageCredentials {

    /** The name of the header that holds credentials. */
    public static final String HEADER = "Authorization";

    private static final String BASIC = "Basic";
    private static final int MOST = 100;
    private static final int OK = 200;
    private static final int MULTIPLE_CHOICES = 300;

    private final String salt = UUID.randomUUID().toString();

    private final Map<String, Boolean> answered = new LinkedHashMap<>(16, 0.75f, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Whether a request for the page needs no limit.
     *
     * @param sent its {@code Authorization}; {@code null} if it has none
     */
    public boolean needNoLimit(@Nullable String sent) {
        if (sent == null) {
            return true;
        }
        String hash = hash(sent);
        synchronized (answered) {
            return answered.get(hash) != null;
        }
    }

    /**
     * Remembers credentials if the status shows that the page, or a filter in front of it, has accepted them. Call this
     * only if nothing else can have authenticated the request.
     *
     * @param sent the request's {@code Authorization}; {@code null} if it has none
     */
    public void rememberIfAccepted(String method, @Nullable String sent, int status) {
        boolean reads = method.equals("GET") || method.equals("HEAD");
        if (sent != null && reads && status >= OK && status < MULTIPLE_CHOICES) {
            String hash = hash(sent);
            synchronized (answered) {
                answered.put(hash, true);
            }
        }
    }

    /**
     * Whether the {@code Authorization} header holds this secret, either as a token or, with the name, as the password
     * of Basic authentication.
     *
     * @param secret the secret that was checked; {@code null} if it is not known
     */
    public static boolean hold(String sent, @Nullable String name, @Nullable Object secret) {
        int scheme = sent.indexOf(' ');
        if (scheme < 0 || secret == null) {
            return false;
        }
        String value = sent.substring(scheme + 1).trim();
        return value.contentEquals(secret.toString())
                || (scheme == BASIC.length()
                        && sent.regionMatches(true, 0, BASIC, 0, scheme)
                        && decoded(value).contentEquals(name + ":" + secret));
    }

    private static String decoded(String value) {
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return ""; // the value is not Base64
        }
    }

    private String hash(String sent) {
        return Sha256.hex(salt + sent);
    }
}
