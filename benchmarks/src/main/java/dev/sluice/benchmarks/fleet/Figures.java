package dev.sluice.benchmarks.fleet;

import static dev.sluice.benchmarks.fleet.Contestant.ARTICLE;
import static dev.sluice.benchmarks.fleet.Contestant.SLUICE;
import static dev.sluice.benchmarks.fleet.Contestant.SLUICE_EXACT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Sluice is to reach. A scenario that was not played asks for nothing. */
final class Figures {

    private final List<Outcome> outcomes;
    private final List<Figure> figures = new ArrayList<>();

    private Figures(List<Outcome> outcomes) {
        this.outcomes = outcomes;
    }

    static List<Figure> of(List<Outcome> outcomes) {
        Figures figures = new Figures(outcomes);
        for (Outcome outcome : outcomes) {
            if (outcome.contestant().equals(SLUICE)) {
                figures.usual(outcome);
            } else if (outcome.contestant().equals(SLUICE_EXACT)) {
                figures.exact(outcome);
            }
        }
        return figures.figures;
    }

    private void usual(Outcome sluice) {
        Scenario scenario = sluice.scenario();
        if (scenario.equals(Scenario.ARTICLE)) {
            atTheArticlesLoad(sluice);
        }
        if (scenario.times() >= 2) {
            boolean tenfold = scenario.times() >= 10;
            boolean many = scenario.instances() > 3;
            add(scenario, "overshoot, mean, %", sluice.windows().meanOver(), many ? 2 : tenfold ? 1 : 0.5);
            add(scenario, "overshoot, max, %", sluice.windows().maxOver(), 5);
            double under = scenario.shape() == Scenario.Shape.RESHUFFLED ? 2 : 1;
            add(scenario, "undershoot, mean, %", sluice.windows().meanUnder(), under);
            find(scenario, ARTICLE)
                    .ifPresent(article -> add(
                            scenario,
                            "Redis commands, part of the article's",
                            sluice.commands() / article.commands(),
                            0.6));
        }
    }

    private void atTheArticlesLoad(Outcome sluice) {
        Scenario scenario = sluice.scenario();
        add(scenario, "added latency, p99.9, µs", sluice.added().p999(), 100);
        add(scenario, "round trips an instance and second", sluice.roundTrips(), 2);
        find(scenario, ARTICLE).ifPresent(article -> {
            double latency = sluice.added().p999() / article.added().p999();
            add(scenario, "added latency, p99.9, part of the article's", latency, 0.05);
            double commands = sluice.commands() / article.commands();
            add(scenario, "Redis commands, part of the article's", commands, 1);
        });
    }

    private void exact(Outcome exact) {
        Scenario scenario = exact.scenario();
        add(scenario, "slack 0: calls beyond a limit", exact.windows().beyond(), 0);
        add(scenario, "slack 0: calls refused under a limit", exact.windows().refusedUnderLimit(), 0);
        if (scenario.equals(Scenario.ARTICLE)) {
            find(scenario, SLUICE)
                    .ifPresent(usual -> add(
                            scenario,
                            "slack 0: latency, p50, part of the default's",
                            exact.added().p50() / usual.added().p50(),
                            1.25));
        }
    }

    private Optional<Outcome> find(Scenario scenario, String contestant) {
        return outcomes.stream()
                .filter(outcome -> outcome.contestant().equals(contestant)
                        && outcome.scenario().equals(scenario))
                .findFirst();
    }

    private void add(Scenario scenario, String what, double reached, double atMost) {
        figures.add(new Figure(scenario.title() + ": " + what, reached, atMost));
    }
}
