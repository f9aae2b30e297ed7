package dev.sluice.spring.actuate;

import dev.sluice.Block;
import dev.sluice.OverrideChange;
import dev.sluice.Subject;
import dev.sluice.internal.config.keys.EndpointNotation;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.instance.status.ShownState.BlockedCaller;
import dev.sluice.internal.instance.status.ShownState.CallerStanding;
import dev.sluice.internal.instance.status.ShownState.OverriddenLimit;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.JsonValues;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.SubjectSource;
import dev.sluice.open.Sluice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The responses of the {@code ratelimits} endpoint, as maps and lists that any JSON library can write. */
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
                status.limits().endpoints().stream()
                        .map(EndpointNotation::words)
                        .toList());
        words.put("overrides", overrides(status, client -> true));
        words.put(
                "blocked",
                sluice.blocks().stream()
                        .limit(MOST_BLOCKED)
                        .map(block -> of(block, sluice))
                        .toList());
        words.put("diagnostics", JsonValues.of(sluice.diagnostics()));
        return words;
    }

    private static Object of(Block block, Sluice sluice) {
        return JsonValues.of(BlockedCaller.of(block, sluice::nameOf));
    }

    /** The blocks of a client that this instance knows about. */
    static List<Block> blocks(Sluice sluice, String subject, String client, @Nullable String endpoint) {
        List<SubjectSource> chain = sluice.limits().subjects().getOrDefault(subject, List.of());
        return sluice.blocks().stream()
                .filter(block -> endpoint == null || block.key().endpoint().equals(endpoint))
                .filter(block -> chain.stream()
                        .map(source -> new Subject(subject, source.name(), keyOf(source, client)))
                        .anyMatch(block.key().subjects()::contains))
                .toList();
    }

    /**
     * The key that the given source would find for a client. If the values are secret, {@code client} is already a
     * hash.
     */
    private static String keyOf(SubjectSource source, String client) {
        return source.isSecret() ? SubjectKey.of(List.of(source), client) : SubjectKey.of(source, client);
    }

    /**
     * A client's standing in each limit, for each source of the subject that could identify the client.
     *
     * @param typed the client's key or name, as the operator typed it
     * @param client the client's key
     */
    static Map<String, Object> standing(Sluice sluice, String subject, String typed, String client) {
        List<SubjectSource> chain = sluice.limits().subjects().getOrDefault(subject, List.of());
        List<Object> standings = new ArrayList<>();
        long now = sluice.status().nowMillis();
        List<Object> accounts = new ArrayList<>();
        for (SubjectSource source : chain) {
            List<Subject> caller = List.of(new Subject(subject, source.name(), keyOf(source, client)));
            sluice.standings(caller).forEach(one -> standings.add(JsonValues.of(CallerStanding.of(one, caller, now))));
            sluice.diagnostics(caller).accounts().forEach(one -> accounts.add(JsonValues.of(one)));
        }
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("subject", subject);
        String key = sluice.withKey(new ClientOverride(subject, typed, "", "")).value();
        words.put("client", key);
        String name = sluice.limits().nameOf(subject, key);
        if (name != null) {
            words.put("called", name);
        }
        words.put("standings", standings);
        words.put(
                "blocked",
                blocks(sluice, subject, client, null).stream()
                        .map(block -> of(block, sluice))
                        .toList());
        words.put("accounts", accounts);
        changes(sluice, new ClientOverride(subject, key, "", "")).ifPresent(changes -> words.put("changes", changes));
        return words;
    }

    /** The limits that are set outside the file for all callers on a plan, and the changes to these limits. */
    static Map<String, Object> plan(Sluice sluice, String plan) {
        LimiterStatus status = sluice.status();
        Set<String> plans = status.limits().plans().byName().keySet();
        if (!plans.contains(plan)) {
            String near = Nearest.to(plan, plans);
            throw new IllegalArgumentException("there is no plan " + plan + " in "
                    + status.file().name() + (near == null ? "" : "; did you mean " + near + "?"));
        }
        Map<String, Object> words = new LinkedHashMap<>();
        words.put(ClientOverride.PLAN, plan);
        words.put("overrides", overrides(status, client -> plan.equals(client.overriddenPlan())));
        changes(sluice, ClientOverride.ofPlan(plan, "", "")).ifPresent(changes -> words.put("changes", changes));
        return words;
    }

    private static List<Object> overrides(LimiterStatus status, Predicate<Client> wanted) {
        return status.limits().overrides().stream()
                .filter(wanted)
                .flatMap(client -> OverriddenLimit.of(client, status.notes(), status.limits()).stream())
                .map(JsonValues::of)
                .toList();
    }

    /** The changes to a client's limits, latest first; empty if the store does not reply. */
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
        String word = Stream.of(StoredOverride.RESET, StoredOverride.GIVE)
                .filter(change.limit()::startsWith)
                .findFirst()
                .orElse("");
        words.put(
                change.isRemoval() ? "unset" : word.isEmpty() ? "set" : word.strip(),
                change.isRemoval() ? true : change.limit().substring(word.length()));
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
}
