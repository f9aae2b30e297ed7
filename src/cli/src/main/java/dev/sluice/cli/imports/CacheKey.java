package dev.sluice.cli.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The subjects that a {@code cache-key} uses to distinguish callers.
 *
 * @param subjects the chain of sources of each subject. The values of all subjects together identify a caller
 * @param problem the reason why the key cannot be expressed; empty if it can be expressed
 */
record CacheKey(List<List<String>> subjects, String problem) {

    private static final String EVERYBODY = "1";
    private static final String EACH_PATH =
            "it counts each path separately, but here an endpoint counts all its paths together; write an "
                    + "endpoint for each kind of path, with \"per: [ \\\"path:id\\\" ]\" for a {id} in its pattern";

    /**
     * Returns the expression that identifies callers. In versions of the starter before 0.10, the settings
     * {@code expression} and {@code filter-key-type} specify it.
     */
    static String written(SpringSettings limit) {
        String type = limit.text("filterkeytype", "expression").toLowerCase(Locale.ROOT);
        String old = switch (type) {
            case "ip" -> "getRemoteAddr()";
            case "default" -> EVERYBODY;
            default -> limit.text("expression", EVERYBODY);
        };
        return limit.text("cachekey", old);
    }

    /** Returns the name of the setting from which {@link #written} reads the expression. */
    static String key(SpringSettings limit) {
        return Stream.of("cachekey", "expression")
                .filter(limit::has)
                .findFirst()
                .orElse("filterkeytype");
    }

    static CacheKey of(String expression) {
        List<List<String>> subjects = new ArrayList<>();
        for (String part : Expressions.split(Expressions.withoutBrackets(expression.strip()), "+")) {
            // A constant does not distinguish callers.
            if (Expressions.constant(part) != null) {
                continue;
            }
            List<String> chain = chain(part);
            if (chain == null) {
                return new CacheKey(List.of(), problem(part));
            }
            if (!subjects.contains(chain)) {
                subjects.add(chain);
            }
        }
        return new CacheKey(subjects, "");
    }

    private static @Nullable List<String> chain(String expression) {
        String inner = Expressions.withoutBrackets(expression);
        List<String> options = Expressions.split(inner, "?:");
        if (options.size() == 1) {
            return ternary(inner);
        }
        List<String> chain = new ArrayList<>();
        for (String option : options) {
            List<String> sources = chain(option);
            if (Expressions.constant(option) != null) {
                continue; // As in the starter, all callers without a value from any source count as one in Sluice.
            }
            if (sources == null) {
                return null;
            }
            chain.addAll(sources);
        }
        return chain;
    }

    /**
     * Interprets {@code a != null ? a : b} as a chain of both sources, and a single source as a chain of one source.
     */
    private static @Nullable List<String> ternary(String expression) {
        String source = Expressions.source(expression);
        if (source != null) {
            return List.of(source);
        }
        List<String> question = Expressions.split(expression.replace("?.", "."), "?");
        List<String> answers = question.size() == 2 ? Expressions.split(question.get(1), ":") : List.of();
        if (answers.size() != 2) {
            return null;
        }
        Term term = Term.only(ConditionReader.of(question.get(0)));
        boolean firstIfThere = term != null && term.kind() == Term.Kind.PRESENT;
        if (term == null || (!firstIfThere && term.kind() != Term.Kind.ABSENT)) {
            return null;
        }
        String first = Expressions.source(answers.get(firstIfThere ? 0 : 1));
        String second = answers.get(firstIfThere ? 1 : 0);
        List<String> remaining = Expressions.constant(second) == null ? chain(second) : List.of();
        if (first == null || remaining == null || !first.equals(term.source())) {
            return null;
        }
        List<String> chain = new ArrayList<>(List.of(first));
        chain.addAll(remaining);
        return chain;
    }

    private static String problem(String part) {
        if (part.contains("@")) {
            return "it calls an application bean, whose code import cannot see; if the bean returns the logged-in user,"
                    + " write \"per: [ principal ]\", otherwise register a SubjectResolver and name it under \"per\"";
        }
        if (part.matches(".*(URI|URL|Path|Info).*")) {
            return EACH_PATH;
        }
        if (part.matches("(getMethod\\(\\)|method)")) {
            return "it counts each method separately; here an endpoint with \"methods\" does that, so list them there";
        }
        return "import does not understand this expression; write the endpoint by hand";
    }
}
