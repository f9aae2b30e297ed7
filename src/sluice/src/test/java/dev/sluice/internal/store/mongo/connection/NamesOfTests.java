package dev.sluice.internal.store.mongo.connection;

import com.mongodb.spi.dns.DnsClient;
import com.mongodb.spi.dns.DnsClientProvider;
import com.mongodb.spi.dns.DnsException;
import com.mongodb.spi.dns.InetAddressResolver;
import com.mongodb.spi.dns.InetAddressResolverProvider;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the driver asks in place of DNS while tests run: it knows the clusters of tests, whose one server is here, and
 * asks the system for other hosts. The driver finds it by the files in META-INF/services.
 */
public final class NamesOfTests {

    static final String DOMAIN = ".sluice.test";

    private static final Map<String, Integer> PORTS = new ConcurrentHashMap<>();

    private NamesOfTests() {}

    /** The cluster of this name has one server, at this port. */
    static void add(String cluster, int port) {
        PORTS.put(cluster + DOMAIN, port);
    }

    /** Of the cluster. */
    public static final class Records implements DnsClientProvider {

        @Override
        public DnsClient create() {
            return NamesOfTests::records;
        }
    }

    private static List<String> records(String name, String type) throws DnsException {
        Integer port = PORTS.get(name.replaceFirst("^_mongodb\\._tcp\\.", ""));
        if (port == null) {
            throw new DnsException("no such name: " + name, new IllegalArgumentException("no such name"));
        }
        return type.equals("SRV") ? List.of("0 0 " + port + " db1" + DOMAIN + ".") : List.of();
    }

    /** Of its server. */
    public static final class Hosts implements InetAddressResolverProvider {

        @Override
        public InetAddressResolver create() {
            return host -> host.endsWith(DOMAIN)
                    ? List.of(InetAddress.getLoopbackAddress())
                    : Arrays.asList(InetAddress.getAllByName(host));
        }
    }
}
