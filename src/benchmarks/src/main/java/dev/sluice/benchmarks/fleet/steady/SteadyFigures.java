package dev.sluice.benchmarks.fleet.steady;

import static dev.sluice.benchmarks.fleet.rig.Contestant.ARTICLE;
import static dev.sluice.benchmarks.fleet.rig.Contestant.SLUICE;
import static dev.sluice.benchmarks.fleet.rig.Contestant.SLUICE_EXACT;

import dev.sluice.benchmarks.fleet.rig.Figure;
import dev.sluice.benchmarks.fleet.rig.DefaultSlack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The targets that Sluice must meet. Scenarios that were not played have no targets. */
final class SteadyFigures {

    private static final double MOST_OVERSHOOT = 5;

    private final List<SteadyOutcome> outcomes;
    private final List<Figure> figures = new ArrayList<>();

    private SteadyFigures(List<SteadyOutcome> outcomes) {
        this.outcomes = outcomes;
    }

    static List<Figure> of(List<SteadyOutcome> outcomes) {
        SteadyFigures figures = new SteadyFigures(outcomes);
        for (SteadyOutcome outcome : outcomes) {
            if (outcome.contestant().equals(SLUICE)) {
                figures.usual(outcome);
            } else if (outcome.contestant().equals(SLUICE_EXACT)) {
                figures.exact(outcome);
            }
        }
        return figures.figures;
    }

    private void usual(SteadyOutcome sluice) {
        Scenario scenario = sluice.scenario();
        add(scenario, "calls refused early", sluice.windows().early(), 0);
        add(scenario, "overshoot, max, %", sluice.windows().maxOver(), mostOvershoot(scenario));
        if (scenario.equals(Scenario.ARTICLE)) {
            atTheArticlesLoad(sluice);
        } else {
            find(scenario, ARTICLE).ifPresent(article -> besideTheArticle(sluice, article, 1.5));
        }
        if (scenario.times() >= 2) {
            overTheLimit(sluice);
        }
    }

    private static double mostOvershoot(Scenario scenario) {
        long slack = DefaultSlack.calls(Article.RULE, scenario.instances());
        return Math.min(MOST_OVERSHOOT, 100.0 * slack / Article.THRESHOLD);
    }

    private void atTheArticlesLoad(SteadyOutcome sluice) {
        Scenario scenario = sluice.scenario();
        add(scenario, "calls that waited, %", sluice.waits().percent(), 0.1);
        add(scenario, "added latency, p99.9, µs", sluice.added().p999(), 100);
        add(scenario, "round trips per instance and second", sluice.roundTrips(), 2);
        find(scenario, ARTICLE).ifPresent(article -> {
            double latency = sluice.added().p999() / article.added().p999();
            add(scenario, "added latency, p99.9, as a fraction of the article's", latency, 0.05);
            besideTheArticle(sluice, article, 1);
        });
    }

    /** Exactness is allowed to cost additional commands, but no additional CPU time of Redis. */
    private void besideTheArticle(SteadyOutcome sluice, SteadyOutcome article, double mostCommands) {
        Scenario scenario = sluice.scenario();
        double commands = sluice.commands() / article.commands();
        add(scenario, "Redis commands, as a fraction of the article's", commands, mostCommands);
        if (scenario.shape().isSteady()) {
            double time = sluice.cpuMillis() / article.cpuMillis();
            add(scenario, "Redis CPU time, as a fraction of the article's", time, 0.5);
        }
    }

    private void overTheLimit(SteadyOutcome sluice) {
        Scenario scenario = sluice.scenario();
        boolean tenfold = scenario.times() >= 10;
        boolean many = scenario.instances() > 3;
        double under = scenario.shape() == Scenario.Shape.RESHUFFLED ? 2 : 1;
        add(scenario, "overshoot, mean, %", sluice.windows().meanOver(), many ? 2 : tenfold ? 1 : 0.5);
        add(scenario, "undershoot, mean, %", sluice.windows().meanUnder(), under);
        if (scenario.shape().isSteady()) {
            add(scenario, "round trips per instance and second", sluice.roundTrips(), 8);
        }
    }

    private void exact(SteadyOutcome exact) {
        Scenario scenario = exact.scenario();
        add(scenario, "slack 0: calls beyond a limit", exact.windows().beyond(), 0);
        add(scenario, "slack 0: calls refused early", exact.windows().early(), 0);
        add(scenario, "slack 0: calls refused under a limit", exact.windows().refusedUnderLimit(), 0);
        if (scenario.equals(Scenario.ARTICLE)) {
            find(scenario, SLUICE)
                    .ifPresent(usual -> add(
                            scenario,
                            "slack 0: latency, p50, as a fraction of the default's",
                            exact.added().p50() / usual.added().p50(),
                            1.25));
        }
    }

    private Optional<SteadyOutcome> find(Scenario scenario, String contestant) {
        return outcomes.stream()
                .filter(outcome -> outcome.contestant().equals(contestant)
                        && outcome.scenario().equals(scenario))
                .findFirst();
    }

    private void add(Scenario scenario, String what, double reached, double atMost) {
        figures.add(new Figure(scenario.title() + ": " + what, reached, atMost));
    }
}
