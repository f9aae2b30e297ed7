package dev.sluice.cli.imports.bucket4j;

import dev.sluice.cli.imports.source.ForeignSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The callers that have a count of their own by a {@code cache-key}.
 *
 * @param subjects each with its chain of sources; a caller is their combination
 * @param problem why that cannot be expressed here; empty if it can
 */
record CacheKey(List<List<String>> subjects, String problem) {

    private static final String EVERYBODY = "1";
    private static final String BY_HAND = "; write by hand what it stands for";

    CacheKey {
        subjects = List.copyOf(subjects);
    }

    /**
     * The expression that a limit names its callers by. Versions of the starter before 0.10 had {@code expression} and
     * {@code filter-key-type} for it.
     */
    static String written(ForeignSettings limit) {
        String type = limit.text("filterkeytype", "expression").toLowerCase(Locale.ROOT);
        String old = switch (type) {
            case "ip" -> "getRemoteAddr()";
            case "default" -> EVERYBODY;
            default -> limit.text("expression", EVERYBODY);
        };
        return limit.text("cachekey", old);
    }

    /** The setting that {@link #written} is of. */
    static String key(ForeignSettings limit) {
        return Stream.of("cachekey", "expression")
                .filter(limit::has)
                .findFirst()
                .orElse("filterkeytype");
    }

    static CacheKey of(String expression) {
        List<List<String>> subjects = new ArrayList<>();
        for (String part : Expressions.split(Expressions.withoutBrackets(expression.strip()), "+")) {
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
                continue; // callers without any of the sources are counted as one caller here too
            }
            if (sources == null) {
                return null;
            }
            chain.addAll(sources);
        }
        return chain;
    }

    /** {@code a != null ? a : b} is the chain of both, and a source alone is a chain too. */
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
        List<Term> condition = ConditionReader.of(question.get(0));
        Term term = condition != null && condition.size() == 1 ? condition.get(0) : null;
        boolean firstIfThere = term != null && term.kind() == Term.Kind.PRESENT;
        if (term == null || (!firstIfThere && term.kind() != Term.Kind.ABSENT)) {
            return null;
        }
        String first = Expressions.source(answers.get(firstIfThere ? 0 : 1));
        String second = answers.get(firstIfThere ? 1 : 0);
        List<String> rest = Expressions.constant(second) == null ? chain(second) : List.of();
        if (first == null || rest == null || !first.equals(term.source())) {
            return null;
        }
        List<String> chain = new ArrayList<>(List.of(first));
        chain.addAll(rest);
        return chain;
    }

    private static String problem(String part) {
        if (part.contains("@")) {
            return "it asks a bean of the application, which is not known here; if that says who is logged in, write "
                    + "\"per: [ principal ]\", otherwise register a SubjectResolver and name it under \"per\"";
        }
        if (part.matches(".*(URI|URL|Path|Info).*")) {
            return "it counts each path by itself, and endpoints here count all of their paths together; write an "
                    + "endpoint for each kind of path, with \"per: [ \\\"path:id\\\" ]\" for a {id} in its pattern";
        }
        if (part.matches("(getMethod\\(\\)|method)")) {
            return "it counts each method by itself; list them under \"methods\", which does that";
        }
        return "this expression is not understood here" + BY_HAND;
    }
}
