package dev.sluice.spring.actuate;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.OverrideChange;
import dev.sluice.Subject;
import dev.sluice.internal.config.keys.FileWords;
import dev.sluice.internal.match.caller.CountedValue;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import dev.sluice.limits.Standing;
import dev.sluice.limits.SubjectSource;
import dev.sluice.open.Sluice;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The answers of the endpoint {@code ratelimits}, as maps and lists that any JSON library can write. */
final class EndpointAnswers {

    private static final long MILLIS = 1000;
    private static final long PATIENCE_SECONDS = 2;
    private static final int MOST_BLOCKED = 100;

    private EndpointAnswers() {}

    /** The limits in force. */
    static Map<String, Object> of(Sluice sluice) {
        LimiterStatus status = sluice.status();
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("limits", status.file().name());
        words.put("loaded", Instant.ofEpochMilli(status.file().loadedMillis()).toString());
        if (status.file().refused() != null) {
            words.put("refusedChange", status.file().refused().problems());
        }
        words.put("store", status.store() == null ? "memory:" : status.store().name());
        words.put("instance", status.instance());
        words.put("counters", status.counters());
        words.put(
                "endpoints",
                status.limits().endpoints().stream().map(EndpointAnswers::of).toList());
        words.put(
                "ownLimits",
                status.limits().overrides().stream()
                        .map(client -> of(client, status.notes().get(client), status.limits()))
                        .toList());
        words.put(
                "blocked",
                sluice.blocks().stream()
                        .limit(MOST_BLOCKED)
                        .map(block -> of(block, sluice))
                        .toList());
        words.put("diagnostics", words(sluice.diagnostics()));
        return words;
    }

    /** A record as a map without {@code null} values; uses the same names as the page's {@code data.json}. */
    private static Object words(Object value) {
        if (value instanceof CounterKey key) {
            return key.text();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
        if (value instanceof List<?> list) {
            return list.stream().map(EndpointAnswers::words).toList();
        }
        if (!(value instanceof Record)) {
            return value;
        }
        Map<String, Object> words = new LinkedHashMap<>();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            try {
                Object member = component.getAccessor().invoke(value);
                if (member != null) {
                    words.put(component.getName(), words(member));
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a public record cannot be read", e);
            }
        }
        return words;
    }

    private static Map<String, Object> of(Block block, Sluice sluice) {
        Map<String, Object> words = new LinkedHashMap<>();
        block.key().subjects().forEach(subject -> putName(words, sluice.nameOf(subject)));
        words.put(
                "client",
                block.key().subjects().stream().map(EndpointAnswers::words).toList());
        words.put("endpoint", block.key().endpoint());
        words.put("method", block.key().method());
        words.put("tier", block.key().tier());
        words.put("since", Instant.ofEpochMilli(block.sinceMillis()).toString());
        words.put("until", Instant.ofEpochMilli(block.untilMillis()).toString());
        words.put("inARow", block.number());
        if (block.cause() != null) {
            words.put("cause", words(block.cause()));
        }
        return words;
    }

    private static void putName(Map<String, Object> words, @Nullable String name) {
        if (name != null) {
            words.merge("called", name, (one, other) -> one + ", " + other);
        }
    }

    /** The blocks of a client, as far as this instance knows. */
    static List<Block> blocks(Sluice sluice, String subject, String client, @Nullable String endpoint) {
        List<SubjectSource> chain = sluice.limits().subjects().getOrDefault(subject, List.of());
        return sluice.blocks().stream()
                .filter(block -> endpoint == null || block.key().endpoint().equals(endpoint))
                .filter(block -> chain.stream()
                        .map(source -> new Subject(subject, source.name(), counted(source, client)))
                        .anyMatch(block.key().subjects()::contains))
                .toList();
    }

    private static Map<String, Object> of(Endpoint endpoint) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("id", endpoint.id());
        if (endpoint.on() == null) {
            words.put("methods", endpoint.methods().stream().sorted().toList());
            words.put("pathPattern", endpoint.pathPattern());
        } else {
            words.put("on", endpoint.on());
        }
        words.put("per", endpoint.per());
        words.put("mode", endpoint.mode().word());
        if (endpoint.countsFailedLogins()) {
            words.put("counts", "login-failure");
        } else if (!endpoint.countedStatuses().isEmpty()) {
            words.put("counts", FileWords.countedStatuses(endpoint));
        }
        if (endpoint.headers() != Endpoint.Headers.SHOWN) {
            words.put("headers", endpoint.headers().word());
        }
        words.put("tiers", endpoint.tiers().stream().map(FileWords::of).toList());
        return words;
    }

    private static Map<String, Object> of(Client client, @Nullable OverrideNote note, Limits limits) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("client", client.name());
        client.who().forEach((subject, keys) -> keys.forEach(key -> putName(words, limits.nameOf(subject, key))));
        Map<String, Object> endpoints = new LinkedHashMap<>();
        client.endpoints()
                .forEach((id, tiers) ->
                        endpoints.put(id, tiers.stream().map(FileWords::of).toList()));
        if (endpoints.isEmpty() || client.multiplies()) {
            words.put("multiply", client.multiply());
        }
        words.put("endpoints", endpoints.isEmpty() ? List.of(ClientOverride.ALL_ENDPOINTS) : endpoints);
        if (note != null && note.untilMillis() > 0) {
            words.put("until", Instant.ofEpochMilli(note.untilMillis()).toString());
        }
        if (note != null && !note.by().isEmpty()) {
            words.put("by", note.by());
        }
        if (note != null && !note.why().isEmpty()) {
            words.put("why", note.why());
        }
        return words;
    }

    /** The counted form of a client; for secret values, the client is already given as a hash. */
    private static String counted(SubjectSource source, String client) {
        return source.isSecret() ? CountedValue.of(List.of(source), client) : CountedValue.of(source, client);
    }

    /**
     * The state of a client in each limit, for each source of the subject that could identify it.
     *
     * @param typed the client as the operator has typed it: by its key, or by its name
     * @param client its key
     */
    static Map<String, Object> standing(Sluice sluice, String subject, String typed, String client) {
        List<SubjectSource> chain = sluice.limits().subjects().getOrDefault(subject, List.of());
        List<Map<String, Object>> standings = new ArrayList<>();
        List<Object> accounts = new ArrayList<>();
        for (SubjectSource source : chain) {
            List<Subject> caller = List.of(new Subject(subject, source.name(), counted(source, client)));
            sluice.standings(caller).forEach(one -> standings.add(of(one, source)));
            sluice.diagnostics(caller).accounts().forEach(one -> accounts.add(words(one)));
        }
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("subject", subject);
        String counted =
                sluice.counted(new ClientOverride(subject, typed, "", "")).value();
        words.put("client", counted);
        putName(words, sluice.limits().nameOf(subject, counted));
        words.put("standings", standings);
        words.put(
                "blocked",
                blocks(sluice, subject, client, null).stream()
                        .map(block -> of(block, sluice))
                        .toList());
        words.put("accounts", accounts);
        changes(sluice, new ClientOverride(subject, counted, "", ""))
                .ifPresent(changes -> words.put("changes", changes));
        return words;
    }

    /** The changes to a client's limits, latest first; empty if the store does not answer. */
    private static Optional<List<Map<String, Object>>> changes(Sluice sluice, ClientOverride client) {
        try {
            return Optional.of(
                    sluice.limitHistory().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS).stream()
                            .filter(change -> change.subject().equals(client.subject())
                                    && change.client().equals(client.value()))
                            .map(EndpointAnswers::of)
                            .toList());
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Map<String, Object> of(OverrideChange change) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("at", Instant.ofEpochMilli(change.atMillis()).toString());
        words.put("endpoint", change.endpoint());
        words.put(change.isRemoval() ? "unset" : "set", change.isRemoval() ? true : change.limit());
        if (change.untilMillis() > 0) {
            words.put("until", Instant.ofEpochMilli(change.untilMillis()).toString());
        }
        words.put("by", change.by());
        words.put("why", change.why());
        return words;
    }

    /** The time in seconds, rounded up. */
    static long wholeSeconds(long millis) {
        return (millis + MILLIS - 1) / MILLIS;
    }

    private static Map<String, Object> of(Standing standing, SubjectSource source) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("endpoint", standing.endpoint());
        words.put("method", standing.method());
        words.put("foundBy", source.name());
        words.putAll(FileWords.of(standing.tier()));
        words.put("remaining", standing.remaining());
        words.put("resetSeconds", wholeSeconds(standing.resetAfterMillis()));
        return words;
    }
}
