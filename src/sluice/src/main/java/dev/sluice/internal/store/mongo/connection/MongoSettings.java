package dev.sluice.internal.store.mongo.connection;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.sluice.internal.text.SafeText;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures the driver from the URI. For each setting that the URI does not specify, chooses a value that preserves
 * the guarantees for counters.
 */
final class MongoSettings {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");
    private static final String NAME = "sluice";
    /** If a URI matches this pattern, the driver's messages could quote a secret. */
    private static final Pattern SECRET = Pattern.compile("(?i)@|password|properties");

    private MongoSettings() {}

    /**
     * Checks that the driver is present and accepts the options in the URI.
     *
     * @throws NoClassDefFoundError if the driver is not on the class path
     * @throws IllegalArgumentException if the driver rejects an option; the message does not contain the password
     */
    static void check(MongoAddress address) {
        if (address.isSrv()) { // some options are in DNS, and the driver reads them when it connects
            ReadPreference unused = ReadPreference.primary();
        } else {
            ConnectionString unused = parsed(address);
        }
        if (address.mayForget()) {
            LOG.warn(
                    "{} is used with w={}: when a different member becomes primary, counts that only the old primary "
                            + "has are lost, and instances report them again. Remove w to avoid this",
                    address,
                    address.writeConcern());
        }
    }

    private static ConnectionString parsed(MongoAddress address) {
        try {
            return new ConnectionString(address.driverUri());
        } catch (IllegalArgumentException e) {
            boolean mayShowSecret = SECRET.matcher(address.driverUri()).find();
            throw new IllegalArgumentException("store uri " + address + ": the driver does not understand its options"
                    + (mayShowSecret ? "" : ": " + SafeText.line(String.valueOf(e.getMessage()))));
        }
    }

    /**
     * Creates a client. The client looks up the address in DNS and then connects in the background. It sends all reads
     * to the primary, because secondaries can lag behind.
     */
    static MongoClient connect(MongoAddress address) {
        ConnectionString uri = parsed(address);
        int timeout = (int) address.timeout().toMillis();
        int selection = timeout - timeout / 4; // so that the driver fails, with a reason, before the exchange times out
        int handshake = (int) address.handshake().toMillis();
        return MongoClients.create(MongoClientSettings.builder()
                .applicationName(NAME)
                .applyToSocketSettings(sockets -> sockets.connectTimeout(handshake, TimeUnit.MILLISECONDS)
                        .readTimeout(timeout, TimeUnit.MILLISECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(selection, TimeUnit.MILLISECONDS))
                .applyConnectionString(uri)
                .readPreference(ReadPreference.primary())
                .writeConcern(writeConcern(uri, timeout))
                .build());
    }

    /**
     * The write concern specified in the URI. By default, it requires a majority, and has the same time limit as an
     * exchange. Without a time limit, the server would wait forever for unavailable members.
     */
    static WriteConcern writeConcern(ConnectionString uri, int timeoutMillis) {
        WriteConcern requested = Objects.requireNonNullElse(uri.getWriteConcern(), WriteConcern.MAJORITY);
        WriteConcern concern = requested.getWObject() == null ? requested.withW(MongoAddress.MAJORITY) : requested;
        return concern.getWTimeout(TimeUnit.MILLISECONDS) == null
                ? concern.withWTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                : concern;
    }
}
