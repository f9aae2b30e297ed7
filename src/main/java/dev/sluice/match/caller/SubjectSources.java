package dev.sluice.match.caller;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import dev.sluice.limits.SubjectSource;
import dev.sluice.match.path.CallReading;
import dev.sluice.match.path.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The ready-made sources of subjects, by the names the file gives them, and the application's own. */
public final class SubjectSources {

    private static final String EXPECTED =
            "header:NAME, query:NAME, cookie:NAME, path:VARIABLE, attribute:NAME, claim:NAME, principal, "
                    + "session, ip, country, server or the name of a registered SubjectResolver, or one of them as "
                    + "hash(header:NAME)";

    private final String server;
    private final CallerAddress address;
    private final SubjectResolver country;
    private final Map<String, SubjectResolver> registered;
    private final UnaryOperator<String> secrets;
    private final SilentSource silent;

    /**
     * Makes them for a file.
     *
     * @param server what the source {@code server} answers: this instance's name
     * @param address what the source {@code ip} answers
     * @param country what the source {@code country} answers
     * @param registered the application's own resolvers, by name
     * @param secrets makes of a secret value what is counted and told in its place
     * @param silent is told of sources that depend on how the service is set up, and yield nothing
     */
    public SubjectSources(
            String server,
            CallerAddress address,
            SubjectResolver country,
            Map<String, SubjectResolver> registered,
            UnaryOperator<String> secrets,
            SilentSource silent) {
        this.secrets = secrets;
        this.silent = silent;
        this.server = server;
        this.address = address;
        this.country = country;
        this.registered = registered;
    }

    /** The same, of which nobody is told what yields nothing. */
    public SubjectSources(
            String server,
            CallerAddress address,
            SubjectResolver country,
            Map<String, SubjectResolver> registered,
            UnaryOperator<String> secrets) {
        this(server, address, country, registered, secrets, SilentSource.IGNORED);
    }

    /**
     * The source of that name.
     *
     * @param text as it stands in the file, for example {@code header:X-Org-Id} or {@code hash(header:X-Api-Key)}
     */
    public SubjectSource parse(String text) {
        SubjectResolver resolver = registered.get(text);
        if (resolver != null) {
            return new SubjectSource(text, resolver, null, true); // it may ask for anything
        }
        String plain = SubjectSource.plainName(text);
        SubjectResolver own = registered.get(plain);
        SubjectSource source =
                new SubjectSource(plain, own != null ? own : readyMade(plain), null, own != null || isToldLate(plain));
        return plain.equals(text) ? source : secret(source);
    }

    /** The same source, whose values are secret. */
    public SubjectSource secret(SubjectSource source) {
        return source.hashedBy(secrets);
    }

    /** Whether only what authenticates a call, or a filter of the application, can tell it. */
    private static boolean isToldLate(String source) {
        return source.equals("principal") || source.startsWith("claim:") || source.startsWith("attribute:");
    }

    private SubjectResolver readyMade(String text) {
        int colon = text.indexOf(':');
        if (colon >= 0) {
            return named(text, text.substring(0, colon), text.substring(colon + 1));
        }
        return switch (text) {
            case "principal" -> new WatchedSource(text, Call::principal, silent);
            case "session" -> new WatchedSource(text, Call::session, silent);
            case "ip" -> new Address(address);
            case "country" -> country;
            case "server" -> call -> server;
            default -> throw unknown(text);
        };
    }

    private SubjectResolver named(String text, String kind, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" lacks the name behind the colon; write " + kind + ":NAME");
        }
        return switch (kind) {
            case "header" -> call -> call.header(name);
            case "query" -> new Parameter(name);
            case "cookie" -> call -> call.cookie(name);
            case "attribute" -> call -> call.attribute(name);
            case "claim" -> new WatchedSource(text, call -> call.claim(name), silent);
            case "path" -> new PathVariable(name, null, false);
            default -> throw unknown(text);
        };
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("\"" + text + "\" is not a source of a subject; write " + EXPECTED);
    }

    /** By which value of the source {@code ip} a caller at this address is known; {@code null} if it is no address. */
    public @Nullable String knownAddress(String text) {
        return address.normalised(text);
    }

    /** The variable that the source speaks of, {@code null} if it does not speak of the path. */
    public static @Nullable String pathVariable(SubjectSource source) {
        return source.resolver() instanceof PathVariable variable ? variable.name() : null;
    }

    /**
     * Whether the source can tell different values of a call that can be read in several ways, given the variables of
     * the pattern.
     */
    public static boolean isToldByReading(SubjectSource source, Set<String> variables) {
        return source.resolver() instanceof Parameter
                || (source.resolver() instanceof PathVariable variable && variables.contains(variable.name()));
    }

    /** The same source, reading its path variable (if it speaks of one) from this pattern. */
    public static SubjectSource bind(SubjectSource source, PathPattern pattern, boolean caseSensitive) {
        return source.resolver() instanceof PathVariable variable
                ? source.with(new PathVariable(variable.name(), pattern, caseSensitive))
                : source;
    }

    /**
     * The chain by which callers are known, of one by which they are counted: an address that cannot be followed to its
     * end is nobody's. Sources behind {@code ip} are never reached where calls are counted, so they are not here.
     */
    public static List<SubjectSource> identifying(List<SubjectSource> chain) {
        List<SubjectSource> identifying = new ArrayList<>();
        for (SubjectSource source : chain) {
            if (source.resolver() instanceof Address ip) {
                identifying.add(source.with(ip.address::identifiedBy));
                break;
            }
            identifying.add(source);
        }
        return List.copyOf(identifying);
    }

    /** By what the caller is counted, of the value of the first source that has one; empty if none has. */
    public static String resolveCounted(List<SubjectSource> chain, Call call) {
        return first(chain, call, CountedValue::in);
    }

    /** The value that the first source that has one yields, as the call has it; empty if none has. */
    public static String resolve(List<SubjectSource> chain, Call call) {
        return first(chain, call, (source, of) -> source.resolver().resolve(of));
    }

    private static String first(List<SubjectSource> chain, Call call, Reading reading) {
        for (SubjectSource source : chain) {
            String value = reading.value(source, call);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    /** Which value of a source is asked for. */
    private interface Reading {

        @Nullable String value(SubjectSource source, Call call);
    }

    private record Address(CallerAddress address) implements SubjectResolver {

        @Override
        public String resolve(Call call) {
            return address.countedBy(call);
        }
    }

    private record Parameter(String name) implements SubjectResolver {

        @Override
        public @Nullable String resolve(Call call) {
            return call.query(name);
        }
    }

    private record PathVariable(String name, @Nullable PathPattern pattern, boolean caseSensitive)
            implements SubjectResolver {

        @Override
        public @Nullable String resolve(Call call) {
            return pattern == null ? null : CallReading.capture(call, pattern, name, caseSensitive);
        }
    }
}
