package dev.sluice.internal.store.mongo.connection;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains failed MongoDB exchanges to operators. Every failed exchange can be retried. */
public final class MongoFailure {

    private static final int UNAUTHORIZED = 13;
    private static final Pattern INNERMOST = Pattern.compile("caused by \\{([^{}]*)}");

    private MongoFailure() {}

    /**
     * Converts a failure to an exception with a sentence for operators.
     *
     * @param limit the time limit of the exchange
     */
    static StoreException of(Throwable failure, MongoAddress address, Duration limit) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof MongoConnectionPoolClearedException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return StoreException.unavailable(address + " " + sentence(cause, limit), cause);
    }

    /** Whether all write errors are conflicts with other instances, and all other writes were confirmed. */
    public static boolean areConflicts(MongoBulkWriteException e) {
        return e.getWriteConcernError() == null
                && e.getWriteErrors().stream().allMatch(error -> isConflict(error.getCode()));
    }

    /**
     * Whether an error code means that another instance wrote the document first. The filters of our conditional
     * upserts contain the expected content. If the content has changed, the filter does not match the document. The
     * upsert then tries to insert the document, and fails because of a duplicate key.
     */
    public static boolean isConflict(int code) {
        return ErrorCategory.fromErrorCode(code) == ErrorCategory.DUPLICATE_KEY;
    }

    private static String sentence(Throwable cause, Duration limit) {
        if (cause instanceof TimeoutException || cause instanceof MongoSocketReadTimeoutException) {
            return "did not answer in time: " + limit.toMillis() + " ms";
        }
        if (cause instanceof MongoSecurityException) {
            return "does not accept the user or the password of the store uri";
        }
        if (cause instanceof MongoTimeoutException) {
            return unreachable(String.valueOf(cause.getMessage()));
        }
        if (cause instanceof MongoSocketOpenException) {
            return "cannot be reached: " + reason(cause);
        }
        if (cause instanceof MongoNotPrimaryException || cause instanceof MongoNodeIsRecoveringException) {
            return "has no primary at the moment, or its primary has changed";
        }
        if (cause instanceof MongoSocketException) {
            return "closed the connection before replying";
        }
        if (cause instanceof MongoConfigurationException) {
            return "cannot be found in DNS, or its options contradict each other: " + reason(cause);
        }
        if (isUnconfirmed(cause)) {
            return "did not confirm in time that enough members have stored the counts";
        }
        if (cause instanceof MongoException known && known.getCode() == UNAUTHORIZED) {
            return "does not grant the user the readWrite role on its database, which Sluice needs";
        }
        return "failed: " + reason(cause);
    }

    private static boolean isUnconfirmed(Throwable cause) {
        return cause instanceof MongoWriteConcernException
                || (cause instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() != null);
    }

    /**
     * Extracts the reason from the driver's message. The message lists the failures of all servers that the driver has
     * tried.
     */
    private static String unreachable(String message) {
        Matcher matcher = INNERMOST.matcher(message);
        String innermost = "";
        while (matcher.find()) {
            innermost = matcher.group(1);
        }
        if (message.contains("MongoSecurityException")) {
            return "does not accept the user or the password of the store uri";
        }
        if (innermost.contains("SocketTimeoutException") || message.contains("MongoSocketReadTimeoutException")) {
            return "cannot be reached: no answer";
        }
        int colon = innermost.indexOf(": ");
        return innermost.isEmpty()
                ? "cannot be reached: found no server that accepts writes"
                : "cannot be reached: " + SafeText.line(innermost.substring(colon < 0 ? 0 : colon + 2));
    }

    /** The first line of the innermost message, escaped for the log because the message can quote data from MongoDB. */
    private static String reason(Throwable cause) {
        Throwable reason = cause;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        String words = reason instanceof MongoCommandException command
                ? command.getErrorCodeName() + " " + command.getErrorMessage()
                : String.valueOf(reason.getMessage() == null ? reason : reason.getMessage());
        return SafeText.line(words.lines().findFirst().orElse(words));
    }
}
