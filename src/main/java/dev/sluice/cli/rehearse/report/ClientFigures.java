package dev.sluice.cli.rehearse.report;

import dev.sluice.cli.rehearse.tally.CallerName;
import dev.sluice.cli.rehearse.tally.DefinitionTally;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.text.TimeText;
import dev.sluice.tier.Tier;

/** The figures of one client that was refused. */
final class ClientFigures {

    private ClientFigures() {}

    static Report.Client of(ClientTally client, DefinitionTally definition) {
        Tier tier = client.tier();
        long threshold = tier == null ? 0 : tier.limit().threshold();
        long period = tier == null ? 0 : tier.limit().period().toMillis();
        long peak = peak(client, definition, period);
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

    private static long peak(ClientTally client, DefinitionTally definition, long period) {
        long[] spans = definition.spans();
        for (int span = 0; span < spans.length; span++) {
            if (spans[span] == period) {
                return client.peak(span);
            }
        }
        return 0;
    }
}
