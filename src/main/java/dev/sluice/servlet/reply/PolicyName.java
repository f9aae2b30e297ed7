package dev.sluice.servlet.reply;

import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** What callers know a tier by: the endpoint's id or, where the endpoint has several tiers, id and tier. */
final class PolicyName {

    private PolicyName() {}

    /**
     * The name between quotation marks. The result is both a string of RFC 9651 (structured fields) and one of JSON:
     * what the former cannot hold, all but printable ASCII, is percent-encoded.
     */
    static String quoted(Endpoint endpoint, Tier tier) {
        String name = endpoint.tiers().size() == 1 ? endpoint.id() : endpoint.id() + '-' + tier.name();
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
