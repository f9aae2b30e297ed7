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
 * Configures the driver as the uri says. Where the uri says nothing, chooses settings with which counters keep their
 * guarantees.
 */
final class MongoSettings {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.store");
    private static final String NAME = "sluice";
    /** If a uri contains this, the driver's messages may quote a secret. */
    private static final Pattern SECRET = Pattern.compile("(?i)@|password|properties");

    private MongoSettings() {}

    /**
     * Checks that the driver is present and accepts the options.
     *
     * @throws NoClassDefFoundError if the driver is missing
     * @throws IllegalArgumentException if it rejects an option; the message shows no password
     */
    static void check(MongoAddress address) {
        if (address.isSrv()) { // some options are in DNS, which the driver reads when it connects
            ReadPreference unused = ReadPreference.primary();
        } else {
            ConnectionString unused = parsed(address);
        }
        if (address.mayForget()) {
            LOG.warn(
                    "{} is used with w={}: when another member becomes primary, counts that only the old primary has "
                            + "are lost, and instances report them again. Remove w to avoid this",
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
     * Creates a client, which connects in the background after it has looked up the address in DNS. All reads go to the
     * primary, because a secondary may lag behind.
     */
    static MongoClient connect(MongoAddress address) {
        ConnectionString uri = parsed(address);
        int timeout = (int) address.timeout().toMillis();
        int selection = timeout - timeout / 4; // so that the driver reports its reason before the exchange times out
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
     * The write concern of the uri, with a majority and the time limit of an exchange where the uri says nothing.
     * Without a time limit, the server would wait for absent members forever.
     */
    static WriteConcern writeConcern(ConnectionString uri, int timeoutMillis) {
        WriteConcern requested = Objects.requireNonNullElse(uri.getWriteConcern(), WriteConcern.MAJORITY);
        WriteConcern concern = requested.getWObject() == null ? requested.withW(MongoAddress.MAJORITY) : requested;
        return concern.getWTimeout(TimeUnit.MILLISECONDS) == null
                ? concern.withWTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                : concern;
    }
}
