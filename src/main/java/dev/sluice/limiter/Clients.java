package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Client;
import dev.sluice.Limits;
import dev.sluice.Mode;
import dev.sluice.SubjectSource;
import dev.sluice.match.ClientTable;
import dev.sluice.match.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The callers for whom not all is as for everybody: gives each call the guards that stand for its caller. Safe for any threads once built. */
final class Clients {

    private final ClientTable<Post.Known> table;
    /** By the endpoint's id, those with limits set beside the file. */
    private final Map<String, ClientTable<Treatment>> own;

    private final boolean caseSensitive;
    private final boolean anyMode;
    private final Guards guards;
    private final Map<Guard, Post> posts = new HashMap<>();

    Clients(Limits limits, Guards guards) {
        this.guards = guards;
        this.caseSensitive = limits.caseSensitive();
        Treatment.Pool treatments = new Treatment.Pool();
        this.table = table(limits, treatments);
        this.own = own(limits, treatments);
        this.anyMode = limits.clients().stream().anyMatch(client -> client.mode() != null && client.mode() != Mode.OFF);
    }

    private static ClientTable<Post.Known> table(Limits limits, Treatment.Pool treatments) {
        ClientTable.Builder<Post.Known> builder = new ClientTable.Builder<>(subjects(limits.clients(), limits));
        limits.clients().forEach(client -> builder.add(client.who(), new Post.Known(client, treatments.of(client))));
        return builder.build();
    }

    private static Map<String, ClientTable<Treatment>> own(Limits limits, Treatment.Pool treatments) {
        Map<String, List<Client>> byEndpoint = new HashMap<>();
        for (Client client : limits.own()) {
            client.endpoints()
                    .keySet()
                    .forEach(id -> byEndpoint
                            .computeIfAbsent(id, missing -> new ArrayList<>())
                            .add(client));
        }
        Map<String, ClientTable<Treatment>> tables = new HashMap<>();
        byEndpoint.forEach((id, clients) -> {
            ClientTable.Builder<Treatment> builder = new ClientTable.Builder<>(subjects(clients, limits));
            clients.forEach(client -> builder.add(client.who(), treatments.of(client)));
            tables.put(id, builder.build());
        });
        return tables;
    }

    private static Map<String, List<SubjectSource>> subjects(List<Client> clients, Limits limits) {
        Map<String, List<SubjectSource>> subjects = new LinkedHashMap<>();
        for (Client client : clients) {
            for (String name : client.who().keySet()) {
                subjects.computeIfAbsent(
                        name,
                        missing -> Objects.requireNonNull(
                                limits.subjects().get(missing),
                                () -> client.name() + ": no subject " + missing + " is defined"));
            }
        }
        return subjects;
    }

    /** Whether what is off for everybody may be on for somebody. */
    boolean mayTurnOn() {
        return anyMode;
    }

    /** At load: this guard stands for everybody; clients may have others in its place. */
    Guard relieve(Guard everybody, PathPattern pattern, String method) {
        ClientTable<Treatment> here = own.get(everybody.endpoint.id());
        Post.Found found = new Post.Found(
                table.bind(pattern, caseSensitive), here == null ? null : here.bind(pattern, caseSensitive));
        posts.put(everybody, new Post(everybody, pattern, method, guards, found));
        return everybody;
    }

    /** The guards that stand for the caller, in the place of those that stand for everybody; {@code null} if there are none. */
    @Nullable Matched matched(Matched forEverybody, Call call) {
        if (forEverybody instanceof Guard everybody) {
            Post post = postOf(everybody);
            return post.guard(post.find(call), call);
        }
        List<Guard> own = new ArrayList<>();
        for (Watch watch : watches(forEverybody.guards(), call)) {
            own.add(watch.guard);
        }
        return Matched.of(own);
    }

    /**
     * A guard that a call has to pass.
     *
     * @param client that it stands there for; {@code null} if that is nobody in particular
     * @param call as the guard reads it
     */
    record Watch(Guard guard, @Nullable Client client, Call call) {}

    /** The same, with the client of the file that each stands for. */
    List<Watch> watches(List<Guard> forEverybody, Call call) {
        List<Watch> watches = new ArrayList<>(forEverybody.size());
        Post asked = null;
        Post.Known caller = null;
        for (Guard everybody : forEverybody) {
            Post post = postOf(everybody);
            if (asked == null || !post.findsAs(asked)) {
                caller = post.find(call);
                asked = post;
            }
            Guard guard = post.guard(caller, call);
            if (guard != null) {
                watches.add(new Watch(guard, caller == null ? null : caller.client(), call));
            }
        }
        return watches;
    }

    private Post postOf(Guard everybody) {
        return Objects.requireNonNull(posts.get(everybody));
    }
}
