package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.Subject;
import dev.sluice.SubjectResolver;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Creates subject sources from their names in the file. A source is either built in or registered by the application.
 *
 * @param server the name of this instance, which is the value of the {@code server} source
 * @param address the component that determines the value of the {@code ip} source
 * @param country the resolver for the {@code country} source
 * @param registered the application's resolvers, by name
 * @param secrets the digest that hashes secret values
 * @param warnings the receiver of warnings about sources that never have a value because of the service's setup
 */
public record SubjectSources(
        String server,
        CallerAddress address,
        SubjectResolver country,
        Map<String, SubjectResolver> registered,
        SecretDigest secrets,
        CallerWarnings warnings) {

    private static final String EXPECTED =
            "header:NAME, query:NAME, cookie:NAME, path:VARIABLE, attribute:NAME, claim:NAME, argument:NAME, "
                    + "principal, session, login, ip, country, server or the name of a registered SubjectResolver, or "
                    + "one of them as hash(header:NAME)";

    private static final String ARGUMENT = "argument:";

    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /**
     * Returns the source with this name.
     *
     * @param text the name in the file, for example {@code header:X-Org-Id} or {@code hash(header:X-Api-Key)}
     */
    public SubjectSource parse(String text) {
        SubjectResolver resolver = registered.get(text);
        if (resolver != null) {
            return new SubjectSource(
                    text, unlessGiven(text, resolver), null, true, false); // it can read any part of the call
        }
        String plain = SubjectSource.plainName(text);
        SubjectResolver own = registered.get(plain);
        if (own == null && plain.equals(LoginName.SOURCE)) {
            return LoginName.source(secrets);
        }
        SubjectSource source = new SubjectSource(
                plain,
                own != null ? unlessGiven(plain, own) : readyMade(plain),
                null,
                own != null || needsAuthentication(plain),
                own == null && isTrusted(plain));
        return plain.equals(text) ? source : secret(source);
    }

    /** Returns a copy of the source that marks its values as secret. */
    public SubjectSource secret(SubjectSource source) {
        return source.hashedBy(secrets);
    }

    /** Whether the value is available only after authentication, or after one of the application's filters has run. */
    private static boolean needsAuthentication(String source) {
        return source.equals("principal") || source.startsWith("claim:") || source.startsWith("attribute:");
    }

    /**
     * Whether the source is trusted, which means that callers cannot claim each other's values. The application's
     * sources are not trusted, because their values might come from the caller.
     */
    private static boolean isTrusted(String source) {
        return Set.of("ip", "principal", "session").contains(source) || source.startsWith("claim:");
    }

    private SubjectResolver readyMade(String text) {
        int colon = text.indexOf(':');
        if (colon >= 0) {
            return named(text, text.substring(0, colon), text.substring(colon + 1));
        }
        return switch (text) {
            case "principal" -> new WatchedSource(text, Call::principal, warnings);
            case "session" -> new WatchedSource(text, Call::session, warnings);
            case "ip" -> new Address(address);
            case "country" -> unlessGiven(text, country);
            case Subject.SERVER -> call -> server;
            default -> throw unknown(text);
        };
    }

    /** Returns a resolver that prefers the value that a method call provides, and otherwise uses the given resolver. */
    private static SubjectResolver unlessGiven(String text, SubjectResolver resolver) {
        return call -> {
            String given = call.given(text);
            return given != null ? given : resolver.resolve(call);
        };
    }

    private SubjectResolver named(String text, String kind, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("\"" + text + "\" has no name after the colon; write " + kind + ":NAME");
        }
        if (!name.equals(name.strip())) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has a space around the name; write \"" + kind + ":" + name.strip() + "\"");
        }
        if (kind.equals("header") && !HEADER_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a source, because no header can be named \""
                    + name + "\"; write one such as header:X-Org-Id");
        }
        return switch (kind) {
            case "header" -> call -> call.header(name);
            case "query" -> new Parameter(name);
            case "cookie" -> call -> call.cookie(name);
            case "attribute" -> call -> call.attribute(name);
            case "argument" -> call -> call.argument(name);
            case "claim" -> new WatchedSource(text, call -> call.claim(name), warnings);
            case "path" -> new PathVariable(name, null);
            default -> throw unknown(text);
        };
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("\"" + text + "\" is not a subject source; write " + EXPECTED);
    }

    /**
     * Returns the value of the {@code ip} source for a caller with this address; {@code null} if the text is not an
     * address.
     */
    public @Nullable String knownAddress(String text) {
        return address.normalised(text);
    }

    /**
     * Whether all values of a chain are addresses. In such a chain, a network represents all callers in that network.
     */
    public static boolean areAddresses(List<SubjectSource> chain) {
        return !chain.isEmpty()
                && chain.stream()
                        .allMatch(
                                source -> SubjectSource.plainName(source.name()).equals("ip"));
    }

    /** Whether the source's value is the user name of a login attempt. */
    public static boolean isLogin(SubjectSource source) {
        return source.resolver() instanceof LoginName;
    }

    /** Whether one of these subjects is the user name of a login attempt. */
    public static boolean isLogin(List<String> subjects, Map<String, List<SubjectSource>> chains) {
        return subjects.stream()
                .flatMap(subject -> chains.getOrDefault(subject, List.of()).stream())
                .anyMatch(SubjectSources::isLogin);
    }

    /** Returns the path variable that the source reads; {@code null} if it reads none. */
    public static @Nullable String pathVariable(SubjectSource source) {
        return source.resolver() instanceof PathVariable variable ? variable.name() : null;
    }

    /** Returns the method argument that the source reads; {@code null} if it reads none. */
    public static @Nullable String argument(SubjectSource source) {
        String plain = SubjectSource.plainName(source.name());
        return plain.startsWith(ARGUMENT) ? plain.substring(ARGUMENT.length()) : null;
    }

    /**
     * Whether the source's value can depend on the interpretation of a call's path or query. The {@code variables} are
     * those of the path patterns.
     */
    public static boolean dependsOnReading(SubjectSource source, Set<String> variables) {
        return source.resolver() instanceof Parameter
                || (source.resolver() instanceof PathVariable variable && variables.contains(variable.name()));
    }

    /**
     * Returns a source that reads its path variable from the patterns of these paths. Other sources are returned
     * unchanged.
     */
    public static SubjectSource bind(SubjectSource source, EndpointPaths paths) {
        return source.resolver() instanceof PathVariable variable
                ? source.withResolver(new PathVariable(variable.name(), paths))
                : source;
    }

    /**
     * Converts a chain for counting callers to a chain for identifying them. The two differ if the forwarding headers
     * are malformed: the address then serves for counting, but does not identify a caller. Sources after {@code ip} are
     * omitted, because counting never reaches them.
     */
    public static List<SubjectSource> identifying(List<SubjectSource> chain) {
        List<SubjectSource> identifying = new ArrayList<>();
        for (SubjectSource source : chain) {
            if (source.resolver() instanceof Address ip) {
                identifying.add(source.withResolver(ip.address::identifiedBy));
                break;
            }
            identifying.add(source);
        }
        return List.copyOf(identifying);
    }

    /** Returns the key of the first value that a source yields; empty if no source yields a value. */
    public static String resolveKey(List<SubjectSource> chain, Call call) {
        return first(chain, call, SubjectKey::in);
    }

    /** Returns the first value that a source yields; empty if no source yields a value. */
    public static String resolve(List<SubjectSource> chain, Call call) {
        return first(chain, call, (source, of) -> source.resolver().resolve(of));
    }

    private static String first(
            List<SubjectSource> chain, Call call, BiFunction<SubjectSource, Call, @Nullable String> reading) {
        for (SubjectSource source : chain) {
            String value = reading.apply(source, call);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return "";
    }

    private record Address(CallerAddress address) implements SubjectResolver {

        @Override
        public String resolve(Call call) {
            return address.keyOf(call);
        }
    }

    private record Parameter(String name) implements SubjectResolver {

        @Override
        public @Nullable String resolve(Call call) {
            return call.query(name);
        }
    }

    private record PathVariable(String name, @Nullable EndpointPaths paths) implements SubjectResolver {

        @Override
        public @Nullable String resolve(Call call) {
            return paths == null ? null : paths.capture(name, call);
        }
    }
}
