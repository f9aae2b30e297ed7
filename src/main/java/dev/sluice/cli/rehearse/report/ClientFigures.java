package dev.sluice.cli.rehearse.report;

import dev.sluice.cli.rehearse.tally.CallerName;
import dev.sluice.cli.rehearse.tally.EndpointTally;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.text.TimeText;
import dev.sluice.tier.Tier;

/** The figures of one client that was refused. */
final class ClientFigures {

    private ClientFigures() {}

    static Report.Client of(ClientTally client, EndpointTally endpoint) {
        Tier tier = client.tier();
        long threshold = tier == null ? 0 : tier.limit().threshold();
        int index = tier == null ? -1 : endpoint.indexOf(tier.limit());
        long peak = index < 0 ? 0 : client.peak(index);
        return new Report.Client(
                CallerName.of(client.who()),
                client.calls(),
                client.refused(),
                TimeText.moment(client.firstRefusedMillis()),
                TimeText.moment(client.lastRefusedMillis()),
                client.refusedWindows(),
                client.refusedMillis(),
                tier == null ? "" : tier.name(),
                threshold,
                peak,
                threshold == 0 ? 0 : Math.round(100.0 * peak / threshold) / 100.0);
    }
}
