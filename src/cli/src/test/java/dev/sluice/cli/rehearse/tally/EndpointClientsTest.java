package dev.sluice.cli.rehearse.tally;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointClientsTest {

    private static final Tier TIER = new Tier("1s", new Limit.FixedWindow(1, Duration.ofSeconds(1)));
    private static final int KEPT = 20_000;

    private final EndpointClients clients = new EndpointClients(1);

    private static List<Subject> who(String name) {
        return List.of(new Subject("ip", "ip", name));
    }

    private ClientTally refused(String name, int times) {
        ClientTally client = clients.add(who(name));
        for (int i = 0; i < times; i++) {
            client.refusal(i, TIER);
        }
        return client;
    }

    @Test
    void forgetsIdleClientsButForThoseRefusedMostAndThoseFollowed() {
        ClientTally active = clients.add(who("active"));
        active.call(1_000);
        clients.add(who("idle"));
        clients.add(who("followed")).follow(new TimeGrid(1_000).newSeries(1));
        refused("seldom", 1);
        for (int i = 0; i < KEPT; i++) {
            refused("often-" + i, 2);
        }
        clients.forget(client -> client.lastMillis() < 1_000);
        assertThat(clients.find(who("active"))).isSameAs(active);
        assertThat(clients.find(who("idle"))).isNull();
        assertThat(clients.find(who("followed"))).isNotNull();
        assertThat(clients.find(who("seldom"))).isNull();
        assertThat(clients.all()).hasSize(KEPT + 2);
        assertThat(clients.seen()).isEqualTo(KEPT + 4);
    }
}
