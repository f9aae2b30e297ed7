package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.caller.SubjectsSection;
import dev.sluice.internal.config.clients.FileClients;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code clients} key. Its value is a list of clients, or a map that also specifies where to find other
 * clients and plans.
 */
public final class ClientsSection {

    private static final Set<String> KEYS = Set.of("list", "from", "subject", "refresh", "planFrom", "defaultPlan");
    private static final String FILE = "file:/etc/shop/clients.csv";
    private static final String EXAMPLE = "{ from: \"" + FILE + "\" }";
    private static final Duration USUAL_REFRESH = Duration.ofMinutes(1);
    private static final Shape<Duration> REFRESH = Shapes.duration(Duration.ofSeconds(1), Duration.ofDays(1));

    /**
     * The kinds of sources whose values callers choose. If such a source specified the plan, callers could choose their
     * own plans.
     */
    private static final Set<String> WRITTEN_BY_CALLERS = Set.of("query", "path", "cookie", "argument", "login");

    private final ClientSection each;
    private final PlansSection plans;
    private final SubjectsSection subjects;
    private final Map<String, Opener> openers;

    /**
     * Opens one of the application's client sources. Sluice repeats a query if the answer is older than
     * {@code refresh}. An answer can name any plan in {@code plans}.
     */
    @FunctionalInterface
    public interface Opener {
        ClientDirectory open(Duration refresh, Set<String> plans);
    }

    /**
     * Creates a reader for the {@code clients} key.
     *
     * @param openers the openers of the application's client sources, by name
     */
    public ClientsSection(
            ClientSection each, PlansSection plans, SubjectsSection subjects, Map<String, Opener> openers) {
        this.each = each;
        this.plans = plans;
        this.subjects = subjects;
        this.openers = openers;
    }

    /** The listed clients, and the object that looks up the plans and names of all clients. */
    public record Found(List<Client> list, Plans plans) {}

    public Found read(Section file, Findings findings) {
        Outside none = new Outside(List.of(), "", List.of(), null, false);
        Outside read = file.optional(
                "clients",
                (value, problems) -> {
                    // A map without any of these keys is probably a single client. The list shape reports this mistake
                    // clearly.
                    boolean isMap = value instanceof Value.Fields map
                            && map.fields().keySet().stream().anyMatch(KEYS::contains);
                    return isMap
                            ? Section.shape(EXAMPLE, this::outside).read(value, problems)
                            : each.clients()
                                    .then((list, more) -> new Outside(list, "", List.of(), null, false))
                                    .read(value, problems);
                },
                none);
        if (!read.findsOthers) {
            plans.warnOfUnused(findings);
        }
        return new Found(
                read.list, new Plans(plans.all(), read.byDefault, read.claimed, read.directory, names(read.list)));
    }

    /**
     * The settings of {@code clients} for clients and plans outside the list.
     *
     * @param byDefault the default plan; empty if there is none
     * @param claimed the sources that yield a caller's plan
     * @param directory the clients from a table or from the application; {@code null} if there are none
     * @param findsOthers whether plans also come from outside the list. If so, a plan can be in use even if no listed
     *     client has it
     */
    private record Outside(
            List<Client> list,
            String byDefault,
            List<SubjectSource> claimed,
            Plans.@Nullable Directory directory,
            boolean findsOthers) {}

    private Outside outside(Section keys, Findings findings) {
        List<Client> list = keys.optional("list", each.clients(), List.of());
        String byDefault = keys.optional("defaultPlan", plans.name(), "");
        boolean findsOthers = keys.unread("planFrom") != null || keys.unread("from") != null;
        List<SubjectSource> claimed = keys.optional(
                "planFrom",
                Shapes.oneOrMore(
                        Shapes.text("a source", "\"claim:plan\"").then(this::claimed),
                        "[ \"claim:plan\" ]",
                        "write a source"),
                List.of());
        Value where = keys.unread("from");
        Value refreshed = keys.unread("refresh");
        String subject =
                keys.optional("subject", Shapes.text("a subject", "tenant").then(this::subject), "tenant");
        Duration refresh = keys.optional("refresh", REFRESH, USUAL_REFRESH);
        boolean isFile = where instanceof Text text && FileClients.isNamedBy(text.content());
        if (refreshed != null && isFile) {
            findings.add(
                    ProblemCode.MISPLACED_KEY,
                    refreshed.position(),
                    "a clients file is checked for changes as often as the limits file; remove refresh, or set "
                            + "reload at the top level of the limits file");
        }
        List<SubjectSource> chain = subjects.find(subject);
        Plans.Directory directory = keys.optional(
                "from",
                Shapes.text("a table or a source of the application", FILE)
                        .then((text, problems) ->
                                chain == null ? null : directory(text, subject, chain, refresh, problems)));
        return new Outside(list, byDefault, claimed, directory, findsOthers);
    }

    private @Nullable SubjectSource claimed(Text text, Findings findings) {
        List<SubjectSource> chain = subjects.find(text.content());
        String kind = text.content().split(":", 2)[0];
        if (WRITTEN_BY_CALLERS.contains(kind)) {
            return findings.refuse(
                    ProblemCode.UNKNOWN_SOURCE,
                    text,
                    " comes from the caller, who could choose any plan; write \"claim:plan\", \"attribute:plan\", or a "
                            + "header that your gateway sets");
        }
        return chain != null && chain.size() == 1
                ? chain.get(0)
                : findings.refuse(
                        ProblemCode.UNKNOWN_SOURCE,
                        text,
                        " is not a source; write \"claim:plan\", \"attribute:plan\", or a header that your gateway "
                                + "sets");
    }

    private @Nullable String subject(Text text, Findings findings) {
        if (SubjectsSection.refusePlan(text, findings)
                || SubjectsSection.refuseLogin(
                        subjects.find(text.content()), "clients are looked up", text.position(), findings)) {
            return null;
        }
        return subjects.find(text.content()) != null
                ? text.content()
                : findings.refuse(
                        ProblemCode.UNKNOWN_SUBJECT,
                        text,
                        " is not a subject; "
                                + Nearest.hint(text, subjects.words(), "write one of the subjects, such as tenant"));
    }

    private Plans.@Nullable Directory directory(
            Text where, String subject, List<SubjectSource> chain, Duration refresh, Findings findings) {
        Set<String> names = plans.all().keySet();
        if (!FileClients.isNamedBy(where.content())) {
            Opener opener = openers.get(where.content());
            return opener != null
                    ? new Plans.Directory(subject, chain, where.content(), opener.open(refresh, names))
                    : findings.refuse(
                            ProblemCode.CLIENT_TABLE,
                            where,
                            " is neither a file nor a ClientSource of the application; "
                                    + Nearest.hint(
                                            where,
                                            openers.keySet(),
                                            "write \"" + FILE + "\", or register a ClientSource with this name"));
        }
        Function<String, @Nullable String> toKey = value -> subjects.values.keyOf(chain, value);
        try {
            FileClients table = FileClients.open(where.content(), toKey, names);
            table.doubts().forEach((code, doubt) -> findings.add(code, where, ' ' + doubt));
            return new Plans.Directory(subject, chain, where.content(), table);
        } catch (FileClients.UnusableException e) {
            return findings.refuse(ProblemCode.CLIENT_TABLE, where, " cannot be used: " + e.getMessage());
        }
    }

    /** Returns the display names of listed clients, by subject and then by key. */
    private Map<String, Map<String, String>> names(List<Client> list) {
        Map<String, Map<String, String>> names = new HashMap<>();
        for (Client client : list) {
            if (!client.displayName().isEmpty()) {
                client.who().forEach((subject, values) -> {
                    Map<String, String> ofSubject = names.computeIfAbsent(subject, missing -> new HashMap<>());
                    List<SubjectSource> chain = Objects.requireNonNullElse(subjects.find(subject), List.of());
                    for (String value : values) {
                        keysOf(chain, value).forEach(key -> ofSubject.putIfAbsent(key, client.displayName()));
                    }
                });
            }
        }
        return names;
    }

    /**
     * Returns the counter keys of callers with this value, one for each source in the chain. If a source is secret and
     * the value is already a hash, the value itself is the key.
     */
    private static List<String> keysOf(List<SubjectSource> chain, String value) {
        List<String> keys = new ArrayList<>();
        for (SubjectSource source : chain) {
            boolean isHash =
                    source.isSecret() && SubjectKey.of(List.of(source), value).equals(value);
            keys.add(isHash ? value : SubjectKey.of(source, value));
        }
        return keys;
    }
}
