package dev.sluice.config;

import dev.sluice.Call;
import dev.sluice.GivenSubjects;
import dev.sluice.limits.SubjectSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method in which the first source of each given subject finds the value. So it is the same caller as in a
 * request that has the value there, with the same name, client and plan.
 *
 * @param bySource the values by the name of a source
 */
record SubjectsOfMethod(Map<String, String> bySource) implements Call {

    private static final Set<String> PLAIN = Set.of("principal", "session", "ip");
    private static final Set<String> NAMED = Set.of("header", "query", "cookie", "attribute", "claim", "argument");

    static SubjectsOfMethod of(GivenSubjects given, Map<String, List<SubjectSource>> chains) {
        Map<String, String> bySource = new HashMap<>();
        given.values().forEach((subject, value) -> bySource.put(source(subject, chains.get(subject)), value));
        return new SubjectsOfMethod(bySource);
    }

    /** The first source that a call can have the value of; what was given may be the name of one. */
    private static String source(String subject, @Nullable List<SubjectSource> chain) {
        String name = chain == null
                ? SubjectSource.plainName(subject)
                : chain.stream()
                        .map(source -> SubjectSource.plainName(source.name()))
                        .filter(SubjectsOfMethod::canBeGiven)
                        .findFirst()
                        .orElse(subject);
        return name.startsWith("header:") ? name.toLowerCase(Locale.ROOT) : name;
    }

    /** Whether code can give the value of a source. */
    static boolean canBeGiven(String source) {
        int colon = source.indexOf(':');
        return colon < 0 ? PLAIN.contains(source) : NAMED.contains(source.substring(0, colon));
    }

    @Override
    public String method() {
        return "";
    }

    @Override
    public String path() {
        return "";
    }

    @Override
    public String ip() {
        return bySource.getOrDefault("ip", "");
    }

    @Override
    public @Nullable String header(String name) {
        return bySource.get("header:" + name.toLowerCase(Locale.ROOT));
    }

    @Override
    public @Nullable String query(String name) {
        return bySource.get("query:" + name);
    }

    @Override
    public @Nullable String cookie(String name) {
        return bySource.get("cookie:" + name);
    }

    @Override
    public @Nullable String attribute(String name) {
        return bySource.get("attribute:" + name);
    }

    @Override
    public @Nullable String claim(String name) {
        return bySource.get("claim:" + name);
    }

    @Override
    public @Nullable String argument(String name) {
        return bySource.get("argument:" + name);
    }

    @Override
    public @Nullable String principal() {
        return bySource.get("principal");
    }

    @Override
    public @Nullable String session() {
        return bySource.get("session");
    }

    @Override
    public boolean holdsThread() {
        return true;
    }
}
