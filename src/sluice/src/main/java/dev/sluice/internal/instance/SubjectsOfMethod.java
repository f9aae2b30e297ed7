package dev.sluice.internal.instance;

import dev.sluice.Call;
import dev.sluice.GivenSubjects;
import dev.sluice.Subject;
import dev.sluice.limits.SubjectSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A method call, with the subject values that the calling code has provided. Each value is treated as if the first
 * source of its subject had found it. The caller is therefore assigned the same client and plan as in a request with
 * the same value.
 *
 * @param bySource the provided values by source name
 */
record SubjectsOfMethod(Map<String, String> bySource, boolean holdsThread) implements Call {

    private static final String PATH = "path:";
    private static final String COUNTRY = "country";

    /**
     * Creates the call. If several subjects have the same first source, the call uses the value of the alphabetically
     * first of these subjects, so that all instances use the same value.
     *
     * @param holdsThread whether the call blocks a thread while it is queued
     */
    static SubjectsOfMethod of(GivenSubjects given, Map<String, List<SubjectSource>> chains, boolean holdsThread) {
        Map<String, String> bySource = new HashMap<>();
        new TreeMap<>(given.values())
                .forEach((subject, value) -> bySource.putIfAbsent(source(subject, chains.get(subject)), value));
        return new SubjectsOfMethod(bySource, holdsThread);
    }

    /**
     * The first source with a value that code can provide. The name of the subject can also be the name of a source.
     */
    private static String source(String subject, @Nullable List<SubjectSource> chain) {
        String name = chain == null
                ? SubjectSource.plainName(subject)
                : chain.stream()
                        .map(source -> SubjectSource.plainName(source.name()))
                        .filter(SubjectsOfMethod::canBeGiven)
                        .min(Comparator.comparing(COUNTRY::equals)) // use the country only if there is no other source
                        .orElse(subject);
        return name.startsWith("header:") ? name.toLowerCase(Locale.ROOT) : name;
    }

    /**
     * Whether code can provide the value of a source. It can provide neither the instance's name nor a path: method
     * calls have no path.
     */
    static boolean canBeGiven(String source) {
        return !source.equals(Subject.SERVER) && !source.startsWith(PATH);
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
    public @Nullable String given(String source) {
        return bySource.get(source);
    }
}
