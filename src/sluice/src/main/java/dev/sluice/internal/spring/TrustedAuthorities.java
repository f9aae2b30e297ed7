package dev.sluice.internal.spring;

import dev.sluice.spring.start.StartFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Writes the certificates that an SSL bundle trusts to a file, so that a store URI can refer to that file. Never writes
 * private keys.
 */
final class TrustedAuthorities {

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private TrustedAuthorities() {}

    /**
     * Returns the path of the file; {@code null} if the bundle trusts the JVM's certificates.
     *
     * @throws StartFailure if the bundle contains a client certificate, or cannot be read
     */
    static @Nullable String file(SslBundle bundle) {
        try {
            if (bundle.getStores().getKeyStore() != null) {
                throw new StartFailure(
                        "The Redis of this application requires a client certificate. The rate limiter does not copy its "
                                + "private key.",
                        "Set the store yourself: sluice.store=rediss://host:6379?ca=/…/ca.pem&cert=/…/c.pem&key=/…/k.pem",
                        null);
            }
            KeyStore trusted = bundle.getStores().getTrustStore();
            return trusted == null ? null : write(trusted).toString();
        } catch (GeneralSecurityException | IOException e) {
            throw new StartFailure(
                    "Cannot read the certificates that this application trusts for Redis: " + e.getMessage(),
                    "Correct the SSL bundle, or set the store yourself with sluice.store.",
                    e);
        }
    }

    private static Path write(KeyStore trusted) throws GeneralSecurityException, IOException {
        StringBuilder pem = new StringBuilder();
        for (String alias : Collections.list(trusted.aliases())) {
            Certificate certificate = trusted.getCertificate(alias);
            if (certificate != null) {
                pem.append("-----BEGIN CERTIFICATE-----\n")
                        .append(LINES.encodeToString(certificate.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            }
        }
        Path file = Files.createTempFile("sluice-redis-ca", ".pem");
        file.toFile().deleteOnExit();
        return Files.writeString(file, pem);
    }
}
