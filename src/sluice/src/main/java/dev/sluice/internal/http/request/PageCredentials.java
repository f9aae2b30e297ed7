package dev.sluice.internal.http.request;

import dev.sluice.internal.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Determines which requests for the operators' page need no limit. A request without an {@code Authorization} header
 * needs none, because it does not guess a password. A request with this header might be a guess, so the request is
 * limited like any other call. Once the page has accepted the credentials, further requests with them are not limited,
 * because an open page sends its credentials repeatedly. Only a read request proves that credentials are correct,
 * because a preflight succeeds regardless of the password. A request that was authenticated in another way, such as by
 * a session, proves nothing, because its credentials might never have been checked. This class stores only a small
 * number of hashes. Thread-safe.
 */
public final class PageCredentials {

    /** The name of the header that contains credentials. */
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
     * @param sent the {@code Authorization} header of the request; {@code null} if it has none
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
     * Remembers credentials if the response status shows that the page, or a filter in front of it, has accepted them.
     * Call this method only if nothing else can have authenticated the request.
     *
     * @param sent the {@code Authorization} header of the request; {@code null} if it has none
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
     * Whether the {@code Authorization} header contains the given secret, either as a token, or as the Basic
     * authentication password of the given user name.
     *
     * @param secret the secret that was checked; {@code null} if it is unknown
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
