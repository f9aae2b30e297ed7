package dev.sluice.internal.config.caller;

import com.maxmind.db.CHMCache;
import com.maxmind.db.Reader.FileMode;
import com.maxmind.geoip2.DatabaseReader;
import com.maxmind.geoip2.exception.GeoIp2Exception;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the countries of addresses in a MaxMind database. This is the only class that uses MaxMind's library. It
 * loads the whole file into memory, so calls never wait for the disk, and the file can be overwritten safely.
 * Thread-safe.
 */
record CountryDatabase(DatabaseReader reader) {

    /** Thrown if the file cannot be used. The message explains why. */
    static final class UnusableException extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        UnusableException(String why) {
            super(why);
        }
    }

    static CountryDatabase open(String path) throws UnusableException {
        try {
            Path file = Path.of(path);
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw new UnusableException("the file does not exist or cannot be read; MaxMind offers "
                        + "GeoLite2-Country.mmdb for free after registration");
            }
            DatabaseReader reader = new DatabaseReader.Builder(file.toFile())
                    .fileMode(FileMode.MEMORY)
                    .withCache(new CHMCache())
                    .build();
            reader.tryCountry(InetAddress.getLoopbackAddress());
            return new CountryDatabase(reader);
        } catch (UnsupportedOperationException e) {
            throw new UnusableException(
                    "this MaxMind database contains no countries; write the path of GeoLite2-Country.mmdb");
        } catch (IOException | GeoIp2Exception | InvalidPathException e) {
            throw new UnusableException("it is not a MaxMind database; write the path of GeoLite2-Country.mmdb");
        }
    }

    /** Returns the two-letter country code; {@code null} if the country is unknown. */
    @Nullable String find(InetAddress address) {
        try {
            return reader.tryCountry(address)
                    .map(found -> found.country().isoCode())
                    .orElse(null);
        } catch (IOException | GeoIp2Exception | RuntimeException e) {
            return null; // treat a damaged record as unknown
        }
    }
}
