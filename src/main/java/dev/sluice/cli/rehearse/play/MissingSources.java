package dev.sluice.cli.rehearse.play;

import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds the sources of subjects that the logs do not contain, so that calls count by others. Not thread-safe. */
final class MissingSources {

    private static final String HEADER = "header:";

    private final Limits limits;
    private final List<Chain> chains = new ArrayList<>();
    private boolean hasCalls;

    /** The sources of one subject, and the first of them with a value in any call. */
    private static final class Chain {
        private final String subject;
        private final List<SubjectSource> sources;
        private int firstSeen;

        private Chain(String subject, List<SubjectSource> sources) {
            this.subject = subject;
            this.sources = sources;
            this.firstSeen = sources.size();
        }
    }

    MissingSources(Limits limits) {
        this.limits = limits;
        Map<String, List<SubjectSource>> used = new TreeMap<>(limits.subjects());
        used.keySet()
                .removeIf(subject -> limits.endpoints().stream()
                                .noneMatch(endpoint -> endpoint.per().contains(subject))
                        && limits.clients().stream()
                                .noneMatch(client -> client.who().containsKey(subject)));
        used.forEach((subject, sources) -> chains.add(new Chain(subject, sources)));
    }

    void look(LoggedCall call) {
        hasCalls = true;
        for (Chain chain : chains) {
            for (int i = 0; i < chain.firstSeen; i++) {
                if (chain.sources.get(i).resolver().resolve(call) != null) {
                    chain.firstSeen = i;
                }
            }
        }
    }

    /** A sentence for each subject with sources that are missing. */
    List<String> sentences() {
        return chains.stream()
                .filter(chain -> hasCalls && chain.firstSeen > 0)
                .map(this::sentence)
                .toList();
    }

    private String sentence(Chain chain) {
        List<String> missing = chain.sources.subList(0, chain.firstSeen).stream()
                .map(source -> SubjectSource.plainName(source.name()))
                .toList();
        boolean hasOther = chain.firstSeen < chain.sources.size();
        boolean hasClients =
                !limits.clients().isEmpty() || !limits.plans().byName().isEmpty();
        return chain.subject + ": no call in the log has " + String.join(" or ", missing) + ", so all calls count "
                + (hasOther
                        ? "by "
                                + SubjectSource.plainName(
                                        chain.sources.get(chain.firstSeen).name())
                        : "as those of one caller")
                + (hasClients ? ", and clients and plans by it are not played" : "")
                + missing.stream()
                        .filter(name -> name.startsWith(HEADER))
                        .map(name -> name.substring(HEADER.length()))
                        .map(name -> "; add %{" + name + "}i (Apache) or $http_" + variable(name)
                                + " (nginx) to the log's format")
                        .limit(1)
                        .collect(Collectors.joining());
    }

    private static String variable(String header) {
        return header.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
