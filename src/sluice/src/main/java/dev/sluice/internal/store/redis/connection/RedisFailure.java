package dev.sluice.internal.store.redis.connection;

import dev.sluice.exchange.StoreException;
import dev.sluice.internal.text.SafeText;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Explains failed Redis exchanges to operators. Every failed exchange can be retried, unless the batch is stale or
 * forgotten.
 */
public final class RedisFailure {

    /** A kind of failure, with its description and a pattern that matches messages from Redis or Lettuce. */
    private enum Kind {
        STALE("has applied a later batch of this instance, and rejects this one", "STALE "),
        FORGOTTEN("might have applied this batch so long ago that it has forgotten it", "FORGOTTEN "),
        READ_ONLY("is a replica and accepts no writes", "READONLY "),
        LOADING("is loading its data", "LOADING "),
        OUT_OF_MEMORY("is out of memory; see its maxmemory", "OOM "),
        BUSY("is busy with a script", "BUSY "),
        MASTER_DOWN("is a replica that has lost its master", "MASTERDOWN "),
        CLUSTER_DOWN("reports that the cluster is down", "CLUSTERDOWN "),
        UNCOVERED("has no known master for some slots", "Cannot determine a partition"),
        TRY_AGAIN("is moving a slot to another node", "TRYAGAIN "),
        CANNOT_SAVE("accepts no writes because it cannot save to disk", "MISCONF "),
        NO_REPLICAS("accepts no writes because it has too few replicas", "NOREPLICAS "),
        NO_PASSWORD("requires a password; the store uri has none", "NOAUTH "),
        WRONG_PASSWORD("does not accept the user or the password of the store uri", "WRONGPASS "),
        NO_PERMISSION(
                "does not grant the user all rights that Sluice needs; see docs/stores.md",
                "NOPERM |ACL failure in script|The user executing the script can't"),
        NO_DATABASE(
                "does not have the database of the store uri; write a different number after the \"/\", or none",
                "SELECT is not allowed in cluster mode|DB index is out of range|invalid DB index"),
        WITHOUT_REASON("closed the connection before it was ready", "RedisHandshakeHandler not registered"),
        NOT_CONNECTED("is not connected", "not connected"),
        DISCONNECTED("closed the connection before replying", "[Cc]onnection (disconnected|closed)"),
        NO_ANSWER("did not answer in time"),
        UNREACHABLE("cannot be reached"),
        UNKNOWN("sent no usable reply");

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

    /** The prefix that Netty's native transport adds to the reason. */
    private static final Pattern NATIVE_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed( with error\\(-?\\d+\\))?: ");

    private static final String HINT =
            "; it may hang, or the scheme may be wrong: write rediss:// if it uses TLS, and redis:// if not";

    private final Kind kind;
    private final Throwable cause;

    private RedisFailure(Kind kind, Throwable cause) {
        this.kind = kind;
        this.cause = cause;
    }

    public static RedisFailure of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new RedisFailure(kindOf(cause), cause);
    }

    /** Whether Redis has accepted the user and replied, but could not run the command. */
    public static boolean isAnswer(Throwable failure) {
        RedisFailure trouble = of(failure);
        return trouble.kind == Kind.UNKNOWN && trouble.cause instanceof RedisCommandExecutionException;
    }

    /**
     * Whether a new connection might help, because the current one is hanging or its server is no longer the master.
     */
    boolean isConnectionUnusable() {
        return kind == Kind.NO_ANSWER || kind == Kind.READ_ONLY || kind == Kind.MASTER_DOWN;
    }

    /** Whether the connection is broken and Lettuce is trying to reopen it. */
    boolean isNotConnected() {
        return kind == Kind.NOT_CONNECTED;
    }

    /** Whether the user lacks a permission. Retries do not help in that case. */
    boolean isMissingRight() {
        return kind == Kind.NO_PERMISSION;
    }

    /**
     * Whether Lettuce has lost the reason for a failure. If a server rejects a connection very quickly, Lettuce
     * sometimes reports only that the connection was closed.
     */
    boolean isWithoutReason() {
        return kind == Kind.WITHOUT_REASON || kind == Kind.DISCONNECTED;
    }

    /**
     * The exception for a failed connection attempt. If the server accepts the connection but sends no data, the
     * message includes a hint, because TLS might be configured on only one side.
     */
    public StoreException whileConnecting(RedisAddress address) {
        return kind == Kind.NO_ANSWER
                ? StoreException.unavailable(address + " " + kind.sentence + HINT, cause)
                : asException(address);
    }

    public StoreException asException(RedisAddress address) {
        String sentence = address + " " + kind.sentence;
        return switch (kind) {
            case STALE -> StoreException.stale(sentence);
            case FORGOTTEN -> StoreException.forgotten(sentence);
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

    /**
     * Returns the kind of failure that a message describes. A Redis error starts with the name of its kind. In a script
     * error, that name appears later in the sentence.
     */
    private static Kind namedBy(String message) {
        for (Kind kind : Kind.values()) {
            if (kind.sign.matcher(message).find()) {
                return kind;
            }
        }
        return Kind.UNKNOWN;
    }

    /** A hint if the server accepts connections but sends no data; otherwise empty. */
    private String hint() {
        return reason().contains("initialization timed out") ? HINT : "";
    }

    /** The first line of the innermost message, escaped for the log because the message can quote data from Redis. */
    private String reason() {
        Throwable reason = cause;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        String words = NATIVE_CALL.matcher(String.valueOf(reason.getMessage())).replaceFirst("");
        return SafeText.line(words.lines().findFirst().orElse(words));
    }
}
