package dev.sluice.internal.store.mongo.connection;

import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.util.List;

/**
 * The address of a MongoDB deployment, parsed from a store URI. {@link #toString} does not contain the password.
 *
 * @param isSrv whether the driver looks up the hosts in DNS
 * @param hosts the hosts in the URI
 * @param database the name of the database that contains the counters
 * @param timeout the time limit for an exchange
 * @param writeConcern the value of the {@code w} parameter; {@link #MAJORITY} by default
 * @param driverUri the URI for the driver, including the user and the password
 */
public record MongoAddress(
        boolean isSrv, List<String> hosts, String database, Duration timeout, String writeConcern, String driverUri) {

    /**
     * The default write concern. A write is confirmed once a majority of the members has it, so a failover cannot lose
     * it.
     */
    public static final String MAJORITY = "majority";

    static final String SCHEME = "mongodb";
    static final String SRV_SCHEME = "mongodb+srv";
    static final String DEFAULT_DATABASE = "sluice";

    private static final Duration SHORTEST_HANDSHAKE = Duration.ofSeconds(2);

    public MongoAddress {
        hosts = List.copyOf(hosts);
    }

    /** Whether MongoDB can lose counts when a different member becomes primary. */
    boolean mayForget() {
        return writeConcern.matches("[01]");
    }

    /**
     * The time limit for connecting and for the first reply. It can be longer than the time limit for an exchange,
     * because later exchanges also use the connection.
     */
    Duration handshake() {
        return timeout.compareTo(SHORTEST_HANDSHAKE) > 0 ? timeout : SHORTEST_HANDSHAKE;
    }

    /** The URI without user, password and options, for logs. */
    @Override
    public String toString() {
        return SafeText.line((isSrv ? SRV_SCHEME : SCHEME) + "://" + String.join(",", hosts)
                + (database.equals(DEFAULT_DATABASE) ? "" : "/" + database));
    }
}
