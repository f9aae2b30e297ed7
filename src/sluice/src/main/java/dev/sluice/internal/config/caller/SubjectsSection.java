package dev.sluice.internal.config.caller;

import dev.sluice.Subject;
import dev.sluice.internal.config.value.Identifiers;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the {@code subjects} of a file, and the references to subjects in {@code per}. */
public final class SubjectsSection {

    private static final String EXAMPLE = "[ \"header:X-Org-Id\", ip ]";
    private static final List<String> DEFAULT_TENANT = List.of("header:X-Org-Id", "ip");
    /** The words that other limiters use to count all callers together. */
    private static final Set<String> EVERYBODY = Set.of("all", "everybody", "everyone", "global", "*");

    /** Sources that yield the same value for many callers. Such a value does not identify a caller. */
    private static final Set<String> SHARED = Set.of("country", Subject.SERVER);

    private static final int LONGEST_CHAIN = 8;
    private static final int MOST_PER_ENDPOINT = 4;
    // The maximum number of source combinations. Each combination has its own counters, which are prepared when the
    // file is loaded.
    private static final int MOST_COMBINATIONS = 256;
    private static final int MOST_SHOWN = 3;
    private static final Pattern LIKE_A_HEADER = Pattern.compile("[A-Za-z0-9]+(-[A-Za-z0-9]+){1,8}|Authorization");
    private static final List<String> NAMED =
            List.of("header", "query", "cookie", "path", "attribute", "claim", "argument");

    /** Our source names, keyed by other names that people use for the same sources. */
    private static final Map<String, String> OTHER_KINDS = Map.of(
            "jwt", "claim",
            "token", "claim",
            "param", "query",
            "parameter", "query",
            "variable", "path",
            "user", "principal",
            "username", "principal",
            "address", "ip",
            "remote-addr", "ip");

    /** The check that callers can have the subject values in the file. */
    public final SubjectValues values;

    private final SubjectSources sources;
    /** Whether secrets are hashed with a key, or the warning about the missing key has already been issued. */
    private boolean isKeyedOrWarned;

    private final Map<String, List<SubjectSource>> chains = new LinkedHashMap<>();

    /** Creates a section that contains only the default subject, {@code tenant}. */
    public SubjectsSection(SubjectSources sources) {
        this.values = new SubjectValues(sources);
        this.sources = sources;
        this.isKeyedOrWarned = sources.secrets().isKeyed();
        chains.put("tenant", DEFAULT_TENANT.stream().map(sources::parse).toList());
    }

    /**
     * Returns the sources of each subject in order of preference, by subject name. The map includes sources that the
     * file uses in place of a subject.
     */
    public Map<String, List<SubjectSource>> chains() {
        return chains;
    }

    /** Reads the value of {@code subjects}. */
    public @Nullable SubjectsSection read(Value value, Findings findings) {
        Value.Fields map = Shapes.map("{ tenant: " + EXAMPLE + " }").read(value, findings);
        if (map == null) {
            return null;
        }
        Shape<SubjectSource> source =
                Shapes.text("a source", "\"header:X-Org-Id\"").then(this::source);
        map.fields().forEach((name, field) -> {
            Identifiers.check(name, Quote.of(name), field.keyPosition(), "the name of a subject", findings);
            String meant = field.value() instanceof Text text ? sourceMeant(text) : null;
            String example = meant == null ? EXAMPLE : "[ " + meant + ", ip ]";
            Shape<List<SubjectSource>> list = Shapes.listOf(source, example, "write at least one source, such as ip");
            boolean isDescribed = field.value() instanceof Value.Fields;
            List<SubjectSource> chain = (isDescribed ? described(list) : list).read(field.value(), findings);
            if (chain != null && chain.size() > LONGEST_CHAIN) {
                findings.add(
                        ProblemCode.TOO_MANY_COMBINATIONS,
                        field.value().position(),
                        "the chain has " + chain.size() + " sources; at most " + LONGEST_CHAIN + " are allowed");
            }
            refuseLoginBesideOthers(chain, field.value().position(), findings);
            chains.put(name, chain == null ? List.of() : chain);
        });
        return this;
    }

    /** Returns the shape of a map that contains a chain. The map can also mark the values as secret or trusted. */
    private Shape<List<SubjectSource>> described(Shape<List<SubjectSource>> list) {
        return Section.shape("{ sources: " + EXAMPLE + ", secret: true }", (keys, findings) -> {
            List<SubjectSource> listed = keys.required("sources", list, "sources: " + EXAMPLE);
            boolean secret = keys.optional("secret", Shapes.trueOrFalse(), false);
            boolean trusted = keys.optional("trusted", Shapes.trueOrFalse(), false);
            List<SubjectSource> chain = listed == null || !trusted
                    ? listed
                    : listed.stream()
                            // A shared value does not distinguish callers, even if it is trusted.
                            .map(source -> SHARED.contains(source.name()) ? source : source.trusted())
                            .toList();
            if (chain == null || !secret) {
                return chain;
            }
            warnOfMissingKey(keys.position("secret"), findings);
            return chain.stream().map(sources::secret).distinct().toList();
        });
    }

    /** Warns once per file that secrets are hashed without a key. */
    private void warnOfMissingKey(FilePosition position, Findings findings) {
        if (!isKeyedOrWarned) {
            isKeyedOrWarned = true;
            findings.add(
                    ProblemCode.UNKEYED_SECRET,
                    position,
                    "secret values are hashed without a key, so anyone who sees a hash can find the value by trial and "
                            + "error; write secrets: { key: \"${SLUICE_SECRET_KEY}\" }");
        }
    }

    /** Hides the values of a subject from messages if any source in its chain is secret. */
    public static <T> Shape<T> hiddenIfSecret(List<SubjectSource> chain, Shape<T> shape) {
        return chain.stream().anyMatch(SubjectSource::isSecret)
                ? (value, findings) -> shape.read(value.asSecret(), findings)
                : shape;
    }

    /** Reads the value of {@code per}. */
    public @Nullable KeySubjects per(Value value, Findings findings) {
        Shape<String> one = Shapes.text("a subject", "tenant").then(this::subject);
        Shape<String> subject = (item, found) -> {
            String meant = nestedMeant(item);
            return meant == null
                    ? one.read(item, found)
                    : found.refuse(
                            ProblemCode.WRONG_TYPE,
                            item.position(),
                            "expected a subject, but found " + (item instanceof Value.Items ? "a list" : "a map")
                                    + "; write " + meant);
        };
        List<String> names = Shapes.anyListOf(subject, SubjectsSection::sourceMeant, "[ tenant ]")
                .read(value, findings);
        if (names == null) {
            return null;
        }
        long combinations = names.stream()
                // It is also possible that a chain yields no value, so we add 1.
                .mapToLong(name -> chains.getOrDefault(name, List.of()).size() + 1L)
                // The product saturates, so it cannot overflow if there are many chains.
                .reduce(1, (a, b) -> Math.min(a * b, Integer.MAX_VALUE));
        if (names.size() > MOST_PER_ENDPOINT) {
            findings.add(
                    ProblemCode.TOO_MANY_COMBINATIONS,
                    value.position(),
                    "there are " + names.size() + " subjects; at most " + MOST_PER_ENDPOINT + " are allowed");
        } else if (combinations > MOST_COMBINATIONS) {
            findings.add(
                    ProblemCode.TOO_MANY_COMBINATIONS,
                    value.position(),
                    "these subjects have " + combinations + " combinations of sources; at most " + MOST_COMBINATIONS
                            + " are allowed, so shorten a chain");
        }
        return new KeySubjects(names, value.position());
    }

    /** Guesses which subject is meant by a list with one item, or by a map such as {@code { header: X-Api-Key }}. */
    private @Nullable String nestedMeant(Value item) {
        if (item instanceof Value.Items list
                && list.values().size() == 1
                && list.values().get(0) instanceof Text text
                && !text.isSubstituted()
                && (chains.containsKey(text.content()) || isSource(text.content()))) {
            return text.asWritten();
        }
        if (item instanceof Value.Fields map && map.fields().size() == 1) {
            Map.Entry<String, Value.Field> only =
                    map.fields().entrySet().iterator().next();
            if (only.getValue().value() instanceof Text text && !text.isSubstituted()) {
                String source = only.getKey() + ':' + text.content();
                return isSource(source) ? Quote.of(source) : null;
            }
        }
        return null;
    }

    /**
     * Reports a subject named {@code plan} if it is used to identify callers. This name is reserved, because operators
     * and tests use the word to specify a caller's plan.
     */
    public static boolean refusePlan(Text text, Findings findings) {
        if (!text.content().equals(ClientOverride.PLAN)) {
            return false;
        }
        var unused = findings.refuse(
                ProblemCode.BAD_ID,
                text,
                " cannot identify callers, because commands such as limits set use this word for a caller's plan; "
                        + "choose a different name, such as level");
        return true;
    }

    private @Nullable String subject(Text text, Findings findings) {
        if (refusePlan(text, findings)) {
            return null;
        }
        if (chains.containsKey(text.content())) {
            return text.content();
        }
        if (!text.content().contains(":") && !isSource(text.content())) {
            String known =
                    "the known subjects are " + String.join(", ", words()) + ", and sources such as \"header:NAME\"";
            String meant = sourceMeant(text);
            if (EVERYBODY.contains(text.content())) {
                return findings.refuse(
                        ProblemCode.UNKNOWN_SUBJECT,
                        text,
                        " is not a subject; write per: [] to count all calls together");
            }
            String hint = Nearest.hint(text, words(), meant == null ? known : "did you mean " + meant + "?");
            return findings.refuse(ProblemCode.UNKNOWN_SUBJECT, text, " is not a subject; " + hint);
        }
        SubjectSource source = source(text, findings);
        if (source == null) {
            return null;
        }
        // From here on, the source serves as a subject with the same name.
        chains.put(text.content(), List.of(source));
        return text.content();
    }

    /**
     * Guesses which source a text denotes. The text can be a different name for a source, or a bare header name.
     * Returns {@code null} if there is no guess.
     */
    private static @Nullable String sourceMeant(Text text) {
        String content = text.content();
        if (text.isSubstituted()) {
            return null;
        }
        if (LIKE_A_HEADER.matcher(content).matches()) {
            return "\"header:" + content + '"';
        }
        int colon = content.indexOf(':');
        String kind = OTHER_KINDS.get(colon < 0 ? content : content.substring(0, colon));
        boolean isWhole = kind != null && NAMED.contains(kind) == (colon > 0 && colon < content.length() - 1);
        if (!isWhole) {
            return null;
        }
        return colon < 0 ? kind : Quote.of(kind + content.substring(colon));
    }

    /**
     * Returns the message that explains why {@code block} cannot be used with these subjects; empty if it can be used.
     * One trusted subject is sufficient, because it ensures that callers can get only themselves blocked.
     */
    public String whyNoBlock(List<String> per) {
        if (arePerLogin(per)) {
            return "anybody can guess passwords for an account, so a stranger could lock out its owner for a long "
                    + "time; remove block here, and block guessers by address in a separate endpoint with per: [ ip ]";
        }
        Set<String> names = new LinkedHashSet<>();
        for (String subject : per) {
            Set<String> untrusted = untrustedSources(subject);
            if (untrusted.isEmpty()) {
                return "";
            }
            names.addAll(untrusted);
        }
        names.removeAll(SHARED);
        if (names.isEmpty()) {
            return "a block would refuse many callers at once, because this endpoint does not count each caller "
                    + "separately; name a subject that identifies each caller, such as per: [ ip ]";
        }
        String chosen = Quote.plain(String.join(" and ", names));
        return "callers choose " + chosen
                + " themselves, so one caller could get another blocked; key the limit by ip, principal, a claim "
                + "or a secret, or add trusted: true to the subject if only your gateway sets " + chosen;
    }

    private Set<String> untrustedSources(String subject) {
        Set<String> names = new LinkedHashSet<>();
        for (SubjectSource source : Objects.requireNonNullElse(find(subject), List.<SubjectSource>of())) {
            if (!source.isTrusted()) {
                names.add(source.name());
            }
        }
        return names;
    }

    /** Whether one of these subjects is the user name of a login attempt. */
    public boolean arePerLogin(List<String> per) {
        return per.stream().map(this::find).anyMatch(SubjectsSection::hasLogin);
    }

    private static boolean hasLogin(@Nullable List<SubjectSource> chain) {
        return chain != null && chain.stream().anyMatch(SubjectSources::isLogin);
    }

    /**
     * Reports {@code login} if it is combined with other sources of the same subject. The value of {@code login} is
     * known later than the values of other sources.
     */
    private static void refuseLoginBesideOthers(
            @Nullable List<SubjectSource> chain, FilePosition position, Findings findings) {
        if (chain != null && chain.size() > 1 && hasLogin(chain)) {
            findings.add(
                    ProblemCode.MISUSED_LOGIN,
                    position,
                    "the value of login is known only during a login attempt, so no other source can replace it; "
                            + "write it as the only source; to count by two subjects, name both, such as "
                            + "per: [ login, ip ]");
        }
    }

    /**
     * Reports {@code login} in a key that takes effect before a login attempt.
     *
     * @param looking the first clause of the message, such as {@code a condition is checked}
     */
    public static boolean refuseLogin(
            @Nullable List<SubjectSource> chain, String looking, FilePosition position, Findings findings) {
        if (!hasLogin(chain)) {
            return false;
        }
        findings.add(
                ProblemCode.MISUSED_LOGIN,
                position,
                looking + " when a request arrives, but the value of login is known only during a login attempt; "
                        + "write login only in per, with count: { outcome: login-failure }");
        return true;
    }

    /** Whether each instance counts separately, because one of these subjects is the instance's name. */
    public boolean areOfEachInstance(List<String> per) {
        return per.stream()
                .map(this::find)
                .anyMatch(chain -> chain != null
                        && chain.stream().allMatch(source -> source.name().equals(Subject.SERVER)));
    }

    /**
     * Returns the chain of a subject, or of a source that is used in place of a subject. Returns {@code null} if the
     * name denotes neither.
     */
    public @Nullable List<SubjectSource> find(String name) {
        List<SubjectSource> chain = chains.get(name);
        return chain != null ? chain : isSource(name) ? List.of(sources.parse(name)) : null;
    }

    /** Records that the file uses a source in place of a subject. */
    public void define(String name, List<SubjectSource> chain) {
        chains.putIfAbsent(name, chain);
    }

    SubjectSource country() {
        return sources.parse("country");
    }

    /** Returns the names of all subjects, and of all sources that can be used in place of a subject. */
    public Set<String> words() {
        Set<String> words = plainSources();
        words.addAll(chains.keySet());
        return words;
    }

    /** Returns the sources that are written without a colon. */
    private Set<String> plainSources() {
        Set<String> plain = new TreeSet<>(List.of("ip", "principal", "session", "login", "country", "server"));
        plain.addAll(sources.registered().keySet());
        return plain;
    }

    private @Nullable SubjectSource source(Text text, Findings findings) {
        try {
            SubjectSource source = sources.parse(text.content());
            if (source.isSecret()) {
                warnOfMissingKey(text.position(), findings);
            }
            return source;
        } catch (IllegalArgumentException e) {
            return findings.refuse(ProblemCode.UNKNOWN_SOURCE, text.position(), why(e, text));
        }
    }

    private String why(IllegalArgumentException e, Text text) {
        if (text.isSubstituted()) {
            return text.quoted() + " is not a subject source; write one such as header:NAME";
        }
        int colon = text.content().indexOf(':');
        String kind = colon < 0 ? text.content() : text.content().substring(0, colon);
        String guess = NAMED.contains(kind) ? null : Nearest.to(kind, colon < 0 ? plainSources() : NAMED);
        String meant = guess == null ? sourceMeant(text) : null;
        if (meant != null) {
            return text.quoted() + " is not a subject source; did you mean " + meant + "?";
        }
        return guess == null
                ? Quote.message(e)
                : text.quoted() + " is not a subject source; did you mean "
                        + Quote.plain(colon < 0 ? guess : guess + text.content().substring(colon)) + "?";
    }

    private boolean isSource(String text) {
        try {
            sources.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Reports sources that cannot have a value. If the endpoint limits requests, such a source is an argument, or a
     * path variable that not every pattern captures. If the endpoint limits methods, such a source is a path variable.
     */
    public void checkSources(KeySubjects per, @Nullable EndpointPaths paths, boolean onMethods, Findings findings) {
        per.names().forEach(name -> refuseSourcesOfOtherCalls(name, per.position(), onMethods, findings));
        if (paths == null) {
            return;
        }
        for (String name : per.names()) {
            List<SubjectSource> chain = Objects.requireNonNullElse(find(name), List.of());
            for (SubjectSource source : chain) {
                List<PathPattern> lacking = paths.patterns().stream()
                        .filter(pattern -> isIdle(source, pattern))
                        .toList();
                List<PathPattern> bare = lacking.stream()
                        .filter(pattern -> chain.stream().allMatch(one -> isIdle(one, pattern)))
                        .toList();
                if (!lacking.isEmpty()) {
                    findings.add(
                            bare.isEmpty() ? ProblemCode.IDLE_SOURCE : ProblemCode.UNCAPTURED_VARIABLE,
                            per.position(),
                            uncaptured(name, source, bare.isEmpty() ? lacking : bare, bare.isEmpty(), paths));
                }
            }
        }
    }

    private static String uncaptured(
            String name, SubjectSource source, List<PathPattern> lacking, boolean hasOthers, EndpointPaths paths) {
        String patterns = lacking.stream()
                .limit(MOST_SHOWN)
                .map(pattern -> '"' + Quote.plain(pattern.toString()) + '"')
                .collect(Collectors.joining(" and "));
        boolean isOfSeveral = paths.patterns().size() > 1;
        String doNot = lacking.size() == 1 ? " does not capture; " : " do not capture; ";
        String elsewhere = hasOthers
                ? "only its other sources are used" + (isOfSeveral ? " there" : "")
                : isOfSeveral
                        ? "a variable must occur in every pattern of the list; add it to the others, or name a "
                                + "different subject"
                        : "add it to the pattern, or name a different subject";
        return "the subject " + Quote.plain(name) + " reads {"
                + Quote.plain(Objects.requireNonNullElse(SubjectSources.pathVariable(source), "")) + "}, which "
                + patterns + (lacking.size() > MOST_SHOWN ? " and others" : "") + doNot + elsewhere;
    }

    private void refuseSourcesOfOtherCalls(String name, FilePosition position, boolean onMethods, Findings findings) {
        List<SubjectSource> chain = Objects.requireNonNullElse(find(name), List.of());
        Function<SubjectSource, @Nullable String> ofOthers =
                onMethods ? SubjectSources::pathVariable : SubjectSources::argument;
        if (chain.isEmpty() || chain.stream().anyMatch(source -> ofOthers.apply(source) == null)) {
            return;
        }
        String read = Quote.plain(Objects.requireNonNull(ofOthers.apply(chain.get(0))));
        findings.add(
                ProblemCode.UNCAPTURED_VARIABLE,
                position,
                "the subject " + Quote.plain(name)
                        + (onMethods
                                ? " reads the path variable {" + read
                                        + "}, but a method call has no path; name a "
                                        + "different subject, such as \"argument:" + read + "\""
                                : " reads the argument " + read
                                        + ", but a request has no arguments; name a different subject, or limit "
                                        + "a method: write on instead of pathPattern"));
    }

    private static boolean isIdle(SubjectSource source, PathPattern pattern) {
        String variable = SubjectSources.pathVariable(source);
        return variable != null && !pattern.variables().contains(variable);
    }
}
