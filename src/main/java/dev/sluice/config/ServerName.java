package dev.sluice.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Names for this instance and its host, if nobody gives them one. */
public final class ServerName {

    private ServerName() {}

    /**
     * The host's name and some digits of chance, since containers share process ids and hosts may run several
     * instances.
     */
    static String ofProcess() {
        return host("server") + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /** The host's name; {@code otherwise} if it has none. */
    public static String host(String otherwise) {
        String told = System.getenv("HOSTNAME");
        try {
            return told != null && !told.isBlank()
                    ? told
                    : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return otherwise;
        }
    }
}
