package dev.sluice.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Finds a name for this instance if the application gives it none. */
final class ServerName {

    private ServerName() {}

    /**
     * The host's name and some digits of chance, since containers share process ids and hosts may run several
     * instances.
     */
    static String ofProcess() {
        return host() + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    private static String host() {
        String told = System.getenv("HOSTNAME");
        try {
            return told != null && !told.isBlank()
                    ? told
                    : InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "server";
        }
    }
}
