package dev.sluice.open;

import dev.sluice.CostResolver;
import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.SubjectResolver;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.file.LoadContext;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.limits.ConfigSource;
import dev.sluice.tier.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A file for tests, and the results of reading it. */
public final class GivenFile implements ConfigSource {

    /** A file with the required keys only. */
    public static final String SMALLEST = """
        - id: get-product
          pathPattern: /product/*
          tiers: [ { period: 10s, threshold: 1000 } ]
        """;

    private volatile byte[] content;
    private IOException failure;

    public GivenFile(String text) {
        this(text.getBytes(StandardCharsets.UTF_8));
    }

    public GivenFile(byte[] content) {
        this.content = content;
    }

    /** A file with this text. */
    public static GivenFile of(String text) {
        return new GivenFile(text);
    }

    /** A file with these lines before {@link #SMALLEST} as its endpoints. */
    public static GivenFile with(String keys) {
        return new GivenFile(keys + "\nendpoints:\n" + SMALLEST);
    }

    /** A file with one endpoint, which has these keys besides the required ones. */
    public static GivenFile withEndpoint(String keys) {
        return new GivenFile(SMALLEST + "  " + keys + "\n");
    }

    /** A file with one endpoint and these tiers. */
    public static GivenFile withTiers(String... tiers) {
        return new GivenFile(
                "[ { id: get-product, pathPattern: /product/*, tiers: [ " + String.join(", ", tiers) + " ] } ]");
    }

    public static GivenFile failing(IOException failure) {
        GivenFile file = new GivenFile("");
        file.failure = failure;
        return file;
    }

    public void becomes(String text) {
        failure = null;
        content = text.getBytes(StandardCharsets.UTF_8);
    }

    public void fails(IOException now) {
        failure = now;
    }

    @Override
    public String name() {
        return "limits.yml";
    }

    @Override
    public byte[] read() throws IOException {
        if (failure != null) {
            throw failure;
        }
        return content.clone();
    }

    public LimitsFile load(String... resolvers) {
        return LimitsReader.read(this, Set.of(resolvers));
    }

    /** The first tier of the first endpoint. */
    public Tier loadTier() {
        return load().limits().endpoints().get(0).tiers().get(0);
    }

    public LimitsFile loadWith(Map<String, String> variables) {
        return loadWith(variables, Map.of(), Map.of());
    }

    private LimitsFile loadWith(
            Map<String, String> variables, Map<String, SubjectResolver> resolvers, Map<String, CostResolver> costs) {
        return LimitsReader.parse(
                SourceContent.of(this),
                new LoadContext("a-server", resolvers, costs, Variables.of(variables::get), CallerWarnings.NONE));
    }

    /** All problems of the file as users see them, without its name. */
    public List<String> problems() {
        return problemsWith(Map.of());
    }

    /** All problems of the file in an application that has resolvers with these names. */
    public List<String> problemsWith(Map<String, String> variables, String... extensions) {
        Map<String, SubjectResolver> resolvers = new HashMap<>();
        Map<String, CostResolver> costs = new HashMap<>();
        for (String name : extensions) {
            resolvers.put(name, call -> null);
            costs.put(name, call -> 1);
        }
        return found(variables, resolvers, costs).stream()
                .map(problem -> problem.toString().replaceFirst("^(warning: )?limits.yml:? ?", ""))
                .toList();
    }

    private List<Problem> found(
            Map<String, String> variables, Map<String, SubjectResolver> resolvers, Map<String, CostResolver> costs) {
        try {
            return loadWith(variables, resolvers, costs).warnings();
        } catch (LimitsException e) {
            return e.problems();
        }
    }
}
