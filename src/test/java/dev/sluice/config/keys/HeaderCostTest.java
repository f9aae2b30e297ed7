package dev.sluice.config.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestCall;
import dev.sluice.tier.Limit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HeaderCostTest {

    @Property(tries = 2_000)
    void isAlwaysWithinBounds(@ForAll String sent) {
        long cost = new HeaderCost("X-Cost", 1).resolve(TestCall.get("/").with("X-Cost", sent));
        assertThat(cost).isBetween(1L, Limit.MAX_THRESHOLD);
    }
}
