package dev.sluice.open;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Default names of this instance and its host. */
public final class ServerName {

    private ServerName() {}

    /**
     * The host's name and random digits, since a host may run several instances. Process ids do not help: in each
     * container, they are the same.
     */
    static String ofProcess() {
        return host("server") + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /** The host's name; {@code byDefault} if it is unknown. */
    public static String host(String byDefault) {
        String set = System.getenv("HOSTNAME");
        try {
            return set != null && !set.isBlank()
                    ? set
                    : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return byDefault;
        }
    }
}
