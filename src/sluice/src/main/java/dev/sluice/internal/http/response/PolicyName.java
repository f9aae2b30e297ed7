package dev.sluice.internal.http.response;

import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The name of a tier as callers see it in a header or body. */
final class PolicyName {

    private PolicyName() {}

    /**
     * Returns the name in quotation marks. The result is valid both as an RFC 9651 string (structured fields) and as a
     * JSON string. Structured fields can contain only printable ASCII, so all other characters are percent-encoded.
     */
    static String quoted(Endpoint endpoint, Tier tier) {
        String name = endpoint.policyName(tier);
        StringBuilder quoted = new StringBuilder(name.length() + 2).append('"');
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b < ' ' || b > '~') {
                quoted.append('%').append(HexFormat.of().toHexDigits(b));
            } else {
                if (b == '"' || b == '\\') {
                    quoted.append('\\');
                }
                quoted.append((char) b);
            }
        }
        return quoted.append('"').toString();
    }
}
