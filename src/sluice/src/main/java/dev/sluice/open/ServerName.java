package dev.sluice.open;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Default names of this instance and its host. */
public final class ServerName {

    private ServerName() {}

    /**
     * Returns the host name followed by random digits, because a host can run several instances. Process ids would not
     * help, because they can be the same in every container.
     */
    static String ofProcess() {
        return host("server") + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /** Returns the host name; {@code byDefault} if it is unknown. */
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
