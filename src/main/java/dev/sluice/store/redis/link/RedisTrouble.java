package dev.sluice.store.redis.link;

import dev.sluice.exchange.StoreException;
import dev.sluice.text.Visible;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** What went wrong in an exchange with Redis, in words for operators. All but an outdated batch may pass with time. */
public final class RedisTrouble {

    /** A kind of trouble: what to tell of it, and the sign by which Redis or Lettuce makes it known. */
    private enum Kind {
        OUTDATED("has applied a later batch of this instance, so not this one", "OUTDATED "),
        READ_ONLY("is a replica and takes no writes", "READONLY "),
        LOADING("is loading its data", "LOADING "),
        OUT_OF_MEMORY("is out of memory; see its maxmemory", "OOM "),
        BUSY("is busy with a script", "BUSY "),
        MASTER_DOWN("is a replica that has lost its master", "MASTERDOWN "),
        CLUSTER_DOWN("says that the cluster is down", "CLUSTERDOWN "),
        UNCOVERED("knows no master for some slots", "Cannot determine a partition"),
        TRY_AGAIN("is moving a slot to another node", "TRYAGAIN "),
        CANNOT_SAVE("takes no writes because it cannot save to disk", "MISCONF "),
        NO_REPLICAS("takes no writes because it has too few replicas", "NOREPLICAS "),
        NO_PASSWORD("asks for a password; the store uri gives none", "NOAUTH "),
        WRONG_PASSWORD("does not accept the user or the password of the store uri", "WRONGPASS "),
        NO_PERMISSION(
                "does not let the user do all that is needed; see docs/stores.md",
                "NOPERM |ACL failure in script|The user executing the script can't"),
        UNTOLD("closed the connection before it was ready", "RedisHandshakeHandler not registered"),
        NOT_CONNECTED("is not connected", "not connected"),
        DISCONNECTED("closed the connection before it had answered", "[Cc]onnection (disconnected|closed)"),
        NO_ANSWER("did not answer in time"),
        UNREACHABLE("cannot be reached"),
        UNKNOWN("gave no usable answer");

        final String sentence;
        final Pattern sign;

        Kind(String sentence) {
            this(sentence, "(?!)");
        }

        Kind(String sentence, String sign) {
            this.sentence = sentence;
            this.sign = Pattern.compile(sign);
        }
    }

    private static final String HINT = "; if it speaks TLS there, write rediss://, and if not, redis://";

    private final Kind kind;
    private final Throwable cause;

    private RedisTrouble(Kind kind, Throwable cause) {
        this.kind = kind;
        this.cause = cause;
    }

    public static RedisTrouble of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new RedisTrouble(kindOf(cause), cause);
    }

    /** Whether Redis has answered, and knows the user, but cannot do what it was asked. */
    public static boolean isAnswer(Throwable failure) {
        RedisTrouble trouble = of(failure);
        return trouble.kind == Kind.UNKNOWN && trouble.cause instanceof RedisCommandExecutionException;
    }

    /** Whether a new connection may help where this one does not: it hangs, or leads to what is no master any more. */
    boolean connectionIsUseless() {
        return kind == Kind.NO_ANSWER || kind == Kind.READ_ONLY || kind == Kind.MASTER_DOWN;
    }

    /** Whether the user may not do it, which time does not heal. */
    boolean isMissingRight() {
        return kind == Kind.NO_PERMISSION;
    }

    /**
     * Whether Lettuce has lost the reason, which it does where a server that refuses us is quicker than its own
     * bookkeeping: then it says that the connection was closed, or less.
     */
    boolean isUntold() {
        return kind == Kind.UNTOLD || kind == Kind.DISCONNECTED;
    }

    /** The same of a connection that was not made: a server that lets us in and says nothing may speak TLS, or may not. */
    public StoreException whileConnecting(RedisAddress address) {
        return kind == Kind.NO_ANSWER
                ? StoreException.unavailable(address + " " + kind.sentence + HINT, cause)
                : asException(address);
    }

    public StoreException asException(RedisAddress address) {
        String sentence = address + " " + kind.sentence;
        return switch (kind) {
            case OUTDATED -> StoreException.outdated(sentence);
            case NO_ANSWER ->
                StoreException.unavailable(
                        sentence + ": " + address.options().timeout().toMillis() + " ms", cause);
            case UNREACHABLE, UNKNOWN -> StoreException.unavailable(sentence + ": " + reason() + hint(), cause);
            default -> StoreException.unavailable(sentence, cause);
        };
    }

    private static Kind kindOf(Throwable cause) {
        if (cause instanceof TimeoutException || cause instanceof RedisCommandTimeoutException) {
            return Kind.NO_ANSWER;
        }
        for (Throwable link = cause; link != null; link = link.getCause()) {
            Kind named = namedBy(String.valueOf(link.getMessage()));
            if (named != Kind.UNKNOWN) {
                return named;
            }
            if (link instanceof ConnectException || link instanceof UnknownHostException) {
                return Kind.UNREACHABLE;
            }
        }
        if (cause instanceof RedisConnectionException) {
            return Kind.UNREACHABLE;
        }
        return cause instanceof IOException ? Kind.DISCONNECTED : Kind.UNKNOWN;
    }

    /** Redis opens an error with the kind's name; of one in a script it makes the end of a longer sentence. */
    private static Kind namedBy(String message) {
        for (Kind kind : Kind.values()) {
            if (kind.sign.matcher(message).find()) {
                return kind;
            }
        }
        return Kind.UNKNOWN;
    }

    /** What a server is like that lets us in and then says nothing. */
    private String hint() {
        return reason().contains("initialization timed out") ? HINT : "";
    }

    /** The innermost reason's own words, the first line of them. They go to the log, and may quote what Redis holds. */
    private String reason() {
        Throwable reason = cause;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        String words = String.valueOf(reason.getMessage());
        return Visible.line(words.lines().findFirst().orElse(words));
    }
}
