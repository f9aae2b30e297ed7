package dev.sluice.cli.rehearse;

import dev.sluice.cli.output.TimeText;
import dev.sluice.cli.rehearse.log.LogSummary;
import dev.sluice.cli.rehearse.play.ComparedFile;
import dev.sluice.cli.rehearse.play.Rehearsal;
import dev.sluice.cli.rehearse.tally.EndpointReport;
import dev.sluice.cli.rehearse.tally.LogTally;
import dev.sluice.cli.rehearse.tally.Percentages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a rehearsal, in the form that {@code --json} writes. {@code rehearsal.schema.json} defines its format.
 *
 * @param version the version of the schema
 * @param file the rehearsed file
 * @param interrupted whether the rehearsal was stopped before the end of the logs
 * @param from the start of the first call; {@code null} if there were no calls
 * @param to the start of the last call; {@code null} if there were no calls
 * @param refused the number of refused calls, including those that passed because of a dry run
 * @param share the fraction of calls that were refused, from 0 to 1
 * @param unlimited the number of calls that match no endpoint
 * @param notPlayed sentences about decisions that a service would make differently, because the logs lack the necessary
 *     data
 */
record RehearsalReport(
        int version,
        String file,
        boolean interrupted,
        LogSummary lines,
        @Nullable String from,
        @Nullable String to,
        long calls,
        long refused,
        double share,
        long unlimited,
        List<String> notPlayed,
        List<EndpointReport> endpoints,
        ComparedFile.@Nullable Result comparison) {

    private static final int VERSION = 1;

    /** Creates the report on a rehearsal that has read these lines. */
    static RehearsalReport of(String file, boolean interrupted, LogSummary lines, Rehearsal rehearsal) {
        LogTally tally = rehearsal.tally();
        boolean isEmpty = tally.calls() == 0;
        return new RehearsalReport(
                VERSION,
                file,
                interrupted,
                lines,
                isEmpty ? null : TimeText.moment(tally.firstMillis()),
                isEmpty ? null : TimeText.moment(tally.lastMillis()),
                tally.calls(),
                tally.refused(),
                Percentages.share(tally.refused(), tally.calls()),
                tally.unlimited(),
                rehearsal.unplayable(),
                rehearsal.endpoints(),
                rehearsal.comparison());
    }
}
