package dev.sluice.internal.instance.report;

import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.Cost.Settling;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.ResponseOptions;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the limits that an instance has reported. A report contains only the names of sources, so the parsed limits
 * cannot identify callers. Not thread-safe, except for {@link #read(ReportedLimits)}.
 */
public final class ReportReader {

    private final Map<String, List<SubjectSource>> subjects = new LinkedHashMap<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private String file = "";
    private @Nullable List<String> endpoint;
    private @Nullable List<String> client;
    private @Nullable List<String> plan;
    private final Map<String, Plan> plans = new HashMap<>();
    private String defaultPlan = "";
    /** The subject that identifies the clients outside the list; empty if there are none. */
    private String directory = "";
    /** The origin of these clients, according to the file. */
    private String directoryFrom = "";

    private List<SubjectSource> claimed = List.of();

    private final ReportedClients listed = new ReportedClients();
    private final Map<String, Map<String, String>> names = new HashMap<>();
    private Set<String> methods = Set.of();
    private @Nullable String on;
    private List<String> per = List.of();
    private Set<Integer> statuses = Set.of();
    private boolean failedLogins;
    private List<Tier> tiers = new ArrayList<>();
    private Map<String, List<String>> who = new LinkedHashMap<>();
    private List<String> patterns = List.of();
    private List<String> except = List.of();
    private Map<String, List<Tier>> own = new HashMap<>();

    private ReportReader() {}

    /**
     * The limits that an instance has reported.
     *
     * @param file the name of the file that the instance has read
     */
    public record LimitsOfFile(String file, Limits limits) {}

    /** Parses a report. Empty if the report is malformed, or if this version does not support its format. */
    public static Optional<LimitsOfFile> read(ReportedLimits reported) {
        String[] lines = reported.text().split("\n", -1);
        if (!lines[0].equals(ReportedLimits.FORMAT)) {
            return Optional.empty();
        }
        try {
            ReportReader reader = new ReportReader();
            for (int i = 1; i < lines.length; i++) {
                reader.read(ReportLine.of(lines[i]));
            }
            reader.end();
            return Optional.of(new LimitsOfFile(
                    reader.file,
                    new Limits(reader.endpoints, reader.subjects, true, 1, ResponseOptions.DEFAULT)
                            .withClients(reader.clients)
                            .withPlans(new Plans(
                                    reader.plans,
                                    reader.defaultPlan,
                                    reader.claimed,
                                    reader.directory(),
                                    reader.names))));
        } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private void read(List<String> words) {
        List<String> remaining = words.subList(1, words.size());
        switch (words.get(0)) {
            case "file" -> file = remaining.get(0);
            case "subject" -> subjects.put(remaining.get(0), sources(remaining.subList(1, remaining.size())));
            case "endpoint" -> {
                end();
                endpoint = remaining;
                patterns = endpoint.get(2).isEmpty() ? List.of() : List.of(endpoint.get(2));
            }
            case "patterns" -> patterns = remaining;
            case "except" -> except = remaining;
            case "methods" -> methods = new HashSet<>(remaining);
            case "on" -> on = remaining.get(0);
            case "per" -> per = remaining;
            case "counts" -> failedLogins = remaining.contains(ReportedLimits.FAILED_LOGINS);
            case "statuses" ->
                statuses = remaining.stream().map(Integer::valueOf).collect(Collectors.toSet());
            case "client" -> {
                end();
                client = remaining;
            }
            case "plan" -> {
                end();
                plan = remaining;
            }
            case "directory" -> {
                end();
                directory = remaining.get(0);
                directoryFrom = remaining.get(1);
            }
            case "plan-from" -> claimed = sources(remaining);
            case "listed" ->
                listed.add(new ClientDirectory.Listed(remaining.get(0), remaining.get(1), remaining.get(2)));
            case "who" -> who.put(remaining.get(0), List.copyOf(remaining.subList(1, remaining.size())));
            case "at" -> {
                tiers = new ArrayList<>();
                own.put(remaining.get(0), tiers);
            }
            case "tier" -> tiers.add(TierFigures.read(remaining.get(0), remaining.subList(1, remaining.size())));
            default -> {} // a later version of Sluice has added this line
        }
    }

    private Plans.@Nullable Directory directory() {
        return directory.isEmpty()
                ? null
                : new Plans.Directory(
                        directory,
                        subjects.getOrDefault(directory, List.of()),
                        directoryFrom,
                        listed.isEmpty() ? ClientDirectory.EMPTY : listed);
    }

    private static List<SubjectSource> sources(List<String> names) {
        return names.stream().map(name -> new SubjectSource(name, call -> null)).toList();
    }

    /** Adds the endpoint, client or plan whose lines have just been read, if any. */
    private void end() {
        if (endpoint != null) {
            endpoints.add(new Endpoint(
                    endpoint.get(0),
                    methods,
                    patterns,
                    except,
                    on,
                    per,
                    Mode.valueOf(endpoint.get(1)),
                    Condition.ALWAYS,
                    statuses,
                    failedLogins,
                    cost(endpoint.get(3), endpoint.get(4)),
                    Endpoint.Headers.unlessWritten(failedLogins || !statuses.isEmpty()),
                    tiers));
        }
        if (client != null) {
            String name = client.size() > 4 ? client.get(4) : "";
            clients.add(new Client(
                    who,
                    Boolean.parseBoolean(client.get(0)),
                    new BigDecimal(client.get(1)),
                    mode(client.get(2)),
                    own,
                    client.size() > 3 ? client.get(3) : "",
                    name));
            if (!name.isEmpty()) {
                who.forEach((subject, values) -> values.forEach(value ->
                        names.computeIfAbsent(subject, first -> new HashMap<>()).put(value, name)));
            }
        }
        if (plan != null) {
            String name = plan.get(0);
            plans.put(
                    name,
                    new Plan(
                            name,
                            Boolean.parseBoolean(plan.get(1)),
                            new BigDecimal(plan.get(2)),
                            mode(plan.get(3)),
                            own));
            defaultPlan = Boolean.parseBoolean(plan.get(4)) ? name : defaultPlan;
        }
        endpoint = null;
        on = null;
        patterns = List.of();
        except = List.of();
        failedLogins = false;
        client = null;
        plan = null;
        tiers = new ArrayList<>();
        who = new LinkedHashMap<>();
        own = new HashMap<>();
    }

    private static @Nullable Mode mode(String name) {
        return name.isEmpty() ? null : Mode.valueOf(name);
    }

    private static Cost cost(String name, String settling) {
        Cost cost =
                name.matches("\\d{1,18}") ? Cost.fixed(Long.parseLong(name)) : new Cost(name, call -> 1, Settling.NONE);
        return Stream.of(Settling.values())
                .filter(known -> known.name().equals(settling)) // a later version of Sluice could have other settings
                .findFirst()
                .map(known -> new Cost(name, cost.resolver(), known))
                .orElse(cost);
    }
}
