package dev.sluice.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.config.GivenFile;
import dev.sluice.internal.match.caller.CountedValue;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands find the limits of callers whose names are hashed. */
class EffectiveTiersTest {

    private static final String LONG = "a".repeat(70);
    private static final SecretDigest DIGEST = SecretDigest.keyed("the key of all instances");

    private final Limits limits = new GivenFile("""
            secrets: { key: "the key of all instances" }
            subjects: { tenant: [ "hash(header:X-Api-Key)", "header:X-Org-Id" ] }
            clients:
              - { tenant: vip-key, endpoints: { shop: [ { period: 1h, threshold: 7 } ] } }
              - { tenant: %s, endpoints: { shop: [ { period: 1h, threshold: 8 } ] } }
            endpoints:
              - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 2 } ] }
            """.formatted(LONG)).load().limits();

    private final Endpoint shop = limits.endpoints().get(0);

    private long threshold(List<ClientOverride> kept, String source, String counted) {
        return new EffectiveTiers(limits, kept)
                .of(shop, List.of(new Subject("tenant", source, counted)))
                .tiers()
                .get(0)
                .limit()
                .threshold();
    }

    @Test
    void ofClientsOfTheFile() {
        assertThat(threshold(List.of(), "hash(header:X-Api-Key)", DIGEST.apply("vip-key")))
                .isEqualTo(7);
        assertThat(threshold(List.of(), "header:X-Org-Id", "vip-key")).isEqualTo(7);
        assertThat(threshold(List.of(), "header:X-Org-Id", CountedValue.ofNamed(LONG)))
                .isEqualTo(8);
        assertThat(threshold(List.of(), "header:X-Org-Id", "other")).isEqualTo(2);
    }

    @Test
    void ofClientsOfTheStore() {
        List<ClientOverride> kept = List.of(
                new ClientOverride("tenant", "b".repeat(200), "shop", "5/1h"),
                new ClientOverride("tenant", DIGEST.apply("k-1"), "shop", "6/1h"));

        assertThat(threshold(kept, "header:X-Org-Id", CountedValue.ofNamed("b".repeat(200))))
                .isEqualTo(5);
        assertThat(threshold(kept, "header:X-Org-Id", CountedValue.ofNamed("b".repeat(201))))
                .isEqualTo(2);
        assertThat(threshold(kept, "hash(header:X-Api-Key)", DIGEST.apply("k-1")))
                .isEqualTo(6);
    }
}
