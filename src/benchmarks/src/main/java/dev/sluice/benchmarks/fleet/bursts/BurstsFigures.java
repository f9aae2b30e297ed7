package dev.sluice.benchmarks.fleet.bursts;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.DefaultSlack;
import java.util.ArrayList;
import java.util.List;

/** The targets that Sluice must meet in bursts. */
final class BurstsFigures {

    /**
     * For limits below this number, each call needs a request to the store. This is affordable, because the limit
     * itself bounds the number of calls.
     */
    private static final long SMALL = 100;

    private static final double MOST_ROUND_TRIPS = 2;

    private BurstsFigures() {}

    static List<Figure> of(BurstsOutcome outcome) {
        List<Figure> figures = new ArrayList<>();
        Pattern pattern = outcome.pattern();
        if (outcome.contestant().equals(Contestant.SLUICE)) {
            long slack = DefaultSlack.calls(pattern.rule(), pattern.instances());
            add(figures, outcome, "", slack);
            if (pattern.rule().threshold() < SMALL) {
                String what = pattern.title() + ": round trips per admitted call";
                figures.add(new Figure(what, outcome.roundTrips(), MOST_ROUND_TRIPS));
            }
        } else if (outcome.contestant().equals(Contestant.SLUICE_EXACT)) {
            add(figures, outcome, "slack 0: ", 0);
        }
        return figures;
    }

    private static void add(List<Figure> figures, BurstsOutcome outcome, String how, long mostOver) {
        String title = outcome.pattern().title() + ": " + how;
        figures.add(new Figure(title + "calls refused early", outcome.early(), 0));
        figures.add(new Figure(title + "calls missing in the end", outcome.missing(), 0));
        figures.add(new Figure(title + "calls over the limit, for one caller", outcome.mostOver(), mostOver));
    }
}
